package roll.api.estimator;

import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Options;

/**
 * Turns token rewards into advantages and returns. Stateless; called from any thread. Cells outside
 * the mask must never influence cells inside it.
 */
@ConsumerType
public interface AdvantageEstimator {
  /** Description for humans and the pipeline; always the same. */
  EstimatorInfo info();

  /**
   * Advantages, before any whitening, and returns of {@code rewards}, jagged like it; 0 outside the
   * mask. All options are read whatever the rewards are, so that a batch without samples checks
   * them.
   *
   * @param rewards with the columns that {@link EstimatorInfo#needs()} names
   * @param options checked against {@link EstimatorInfo#options()}
   * @throws roll.api.option.UserException if an option has a value that is not allowed
   */
  Advantages estimate(TokenRewards rewards, Options options);
}

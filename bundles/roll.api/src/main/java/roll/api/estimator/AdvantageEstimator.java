package roll.api.estimator;

import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Options;

/**
 * Computes advantages and returns from token rewards. Stateless; called from any thread. Cells
 * outside the mask must not influence cells inside it.
 */
@ConsumerType
public interface AdvantageEstimator {
  /** Description for users and the pipeline; constant. */
  EstimatorInfo info();

  /**
   * Computes advantages, before whitening, and returns, jagged like {@code rewards}; 0 outside the
   * mask. All options are read for any input, so that a batch without samples checks them.
   *
   * @param rewards with the columns of {@link EstimatorInfo#needs()}
   * @param options checked against {@link EstimatorInfo#options()}
   * @throws roll.api.option.UserException if an option has a value that is not allowed
   */
  Advantages estimate(TokenRewards rewards, Options options);
}

package roll.api.estimator;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Turns token rewards into advantages and returns. Stateless; called from any thread. Cells outside
 * the mask must never influence cells inside it.
 */
@ConsumerType
public interface AdvantageEstimator {
  /** Advantages and returns of {@code rewards}, jagged like it; 0 outside the mask. */
  Advantages estimate(TokenRewards rewards);
}

package roll.api.strategy;

import org.osgi.annotation.versioning.ConsumerType;

/** Support of batch invariance, common to training and inference strategies. */
@ConsumerType
public interface BatchInvariance {
  /**
   * Whether sessions honor {@link roll.api.config.ModelConfig#batchInvariant}; false by default, so
   * that a run with it is refused.
   */
  default boolean batchInvariant() {
    return false;
  }
}

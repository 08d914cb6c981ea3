package roll.api.strategy;

import org.osgi.annotation.versioning.ConsumerType;

/** Support of temperature scaling, common to training and inference strategies. */
@ConsumerType
public interface TemperatureScaling {
  /**
   * Whether sessions divide logits by {@link roll.api.config.ModelConfig#temperature} before they
   * compute log-probs; false by default, so that a run with a temperature is refused.
   */
  default boolean dividesLogits() {
    return false;
  }
}

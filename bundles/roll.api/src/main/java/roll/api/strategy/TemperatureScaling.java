package roll.api.strategy;

import org.osgi.annotation.versioning.ConsumerType;

/** What strategies that train and those that infer say alike of log-probs. */
@ConsumerType
public interface TemperatureScaling {
  /**
   * Whether sessions divide logits by {@link roll.api.config.ModelConfig#temperature} wherever they
   * make log-probs of them; false by default, so that a run that asks for it is refused.
   */
  default boolean dividesLogits() {
    return false;
  }
}

package roll.runtime.config;

import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
import roll.api.strategy.Sampling;

/**
 * A frozen model that rewards ask: an entry of {@code reward_models}.
 *
 * @param worker its model, strategy and devices; its role is {@code reward_models.<name>}
 * @param sampling how its answers are drawn; null where it writes none but scores by a head
 * @param sequenceLength most tokens of question and answer together, or of what is scored
 */
public record RewardModelConfig(
    WorkerConfig worker, @Nullable Sampling sampling, int sequenceLength) {
  /** Whether it scores by a head ({@code model_args.model_type}), and does not write. */
  public boolean scores() {
    return sampling == null;
  }
}

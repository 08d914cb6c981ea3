package roll.runtime.config;

import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
import roll.api.strategy.Sampling;

/**
 * A frozen model for rewards: an entry of {@code reward_models}.
 *
 * @param worker its model, strategy and devices; its role is {@code reward_models.<name>}
 * @param sampling sampling of its answers; null if it scores by a head
 * @param sequenceLength maximum number of tokens of question and answer together, or of the scored
 *     text
 */
public record RewardModelConfig(
    WorkerConfig worker, @Nullable Sampling sampling, int sequenceLength) {
  /**
   * Returns whether the reward model scores by a head ({@code model_args.model_type}) rather than
   * writing an answer.
   */
  public boolean scores() {
    return sampling == null;
  }
}

package roll.runtime.config;

import roll.api.config.WorkerConfig;
import roll.api.strategy.Sampling;

/**
 * A frozen model that rewards ask: an entry of {@code reward_models}.
 *
 * @param worker its model, strategy and devices; its role is {@code reward_models.<name>}
 * @param sampling how its answers are drawn
 * @param sequenceLength most tokens of question and answer together
 */
public record RewardModelConfig(WorkerConfig worker, Sampling sampling, int sequenceLength) {}

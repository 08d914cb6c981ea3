package roll.runtime.config;

import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;

/**
 * The critic of a run.
 *
 * @param worker its model, strategy and optimizer
 * @param valueClip how far a value may move from what it was before the step, or null ({@code
 *     value_clip})
 * @param warmup pipeline steps in which the critic is trained alone ({@code critic_warmup})
 */
public record CriticConfig(WorkerConfig worker, @Nullable Double valueClip, int warmup) {}

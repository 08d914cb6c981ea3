package roll.runtime.config;

/**
 * The configuration of a supervised warm start.
 *
 * @param config what it has in common with a training run; the learning-rate schedule is as long as
 *     {@code max_steps}
 * @param sft what it is trained on
 */
public record LoadedSft(LoadedConfig config, SftConfig sft) {}

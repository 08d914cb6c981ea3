package roll.runtime.config.algorithm;

import org.jspecify.annotations.Nullable;

/**
 * Post-processing of estimated advantages.
 *
 * @param whiten whether they are whitened; null leaves it to the estimator ({@code
 *     whiten_advantages})
 * @param clip symmetric bound of advantages, or null ({@code advantage_clip})
 */
public record AdvantageConfig(@Nullable Boolean whiten, @Nullable Double clip) {}

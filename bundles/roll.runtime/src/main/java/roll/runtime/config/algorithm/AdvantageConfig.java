package roll.runtime.config.algorithm;

import org.jspecify.annotations.Nullable;

/**
 * Post-processing of estimated advantages.
 *
 * @param whiten whether they are whitened; null leaves it to the estimator ({@code
 *     whiten_advantages})
 * @param byTag whether they, and token rewards, are whitened over the samples of each environment
 *     instead of all ({@code whiten_grouping})
 * @param clip symmetric bound of advantages, or null ({@code advantage_clip})
 */
public record AdvantageConfig(@Nullable Boolean whiten, boolean byTag, @Nullable Double clip) {
  /** Creates a configuration that whitens over all samples. */
  public AdvantageConfig(@Nullable Boolean whiten, @Nullable Double clip) {
    this(whiten, false, clip);
  }
}

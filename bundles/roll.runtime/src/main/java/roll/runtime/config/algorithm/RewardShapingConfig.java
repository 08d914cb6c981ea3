package roll.runtime.config.algorithm;

import org.jspecify.annotations.Nullable;
import roll.api.estimator.RewardNormalization;

/**
 * Processing of rewards before advantages are estimated.
 *
 * @param normalization how trajectory rewards are normalized ({@code reward_normalization})
 * @param clip symmetric bound of rewards, or null ({@code reward_clip})
 * @param whiten whether token rewards are whitened ({@code whiten_rewards})
 */
public record RewardShapingConfig(
    RewardNormalization normalization, @Nullable Double clip, boolean whiten) {}

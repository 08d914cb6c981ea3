package roll.runtime.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.estimator.RewardNormalization;
import roll.api.loss.LossSettings;

/**
 * Rewards, advantages and losses of a run.
 *
 * @param estimator id of the advantage estimator
 * @param estimatorArgs {@code adv_estimator_args}: options of that estimator, checked against those
 *     it has
 * @param estimatorDefaults values of ROLL's keys for options that the estimator may have
 * @param gamma discount by token
 * @param lambda decay of generalized advantage estimation
 * @param ppoEpochs passes over each rollout
 * @param adjustment what happens to samples that do not fill an optimizer batch
 * @param recomputeOldLogProbs whether old log-probs come from the trained model; otherwise those
 *     recorded while sampling are taken
 * @param maxGradNorm gradients are scaled down to this norm
 * @param loss settings of the policy loss
 * @param rewardNormalization how trajectory rewards are normalised
 * @param rewardClip symmetric bound of rewards, or null
 * @param whitenRewards whether token rewards are whitened
 * @param whitenAdvantages whether advantages are whitened; null leaves it to the estimator
 * @param advantageClip symmetric bound of advantages, or null
 * @param kl the KL penalty in the reward
 */
public record AlgorithmConfig(
    String estimator,
    Map<String, Object> estimatorArgs,
    Map<String, Object> estimatorDefaults,
    double gamma,
    double lambda,
    int ppoEpochs,
    BatchAdjustment adjustment,
    boolean recomputeOldLogProbs,
    double maxGradNorm,
    LossSettings loss,
    RewardNormalization rewardNormalization,
    @Nullable Double rewardClip,
    boolean whitenRewards,
    @Nullable Boolean whitenAdvantages,
    @Nullable Double advantageClip,
    KlConfig kl) {}

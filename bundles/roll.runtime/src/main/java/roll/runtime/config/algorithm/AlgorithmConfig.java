package roll.runtime.config.algorithm;

import org.jspecify.annotations.Nullable;
import roll.api.loss.LossSettings;

/**
 * Rewards, advantages and losses of a run.
 *
 * @param estimator the advantage estimator and what it is given
 * @param ppoEpochs passes over each rollout
 * @param adjustment what happens to samples that do not fill an optimizer batch
 * @param recomputeOldLogProbs whether old log-probs come from the trained model; otherwise those
 *     recorded while sampling are taken
 * @param maxGradNorm gradients are scaled down to this norm
 * @param loss settings of the policy loss
 * @param rewards what is made of rewards before advantages are estimated
 * @param masks samples that are left out of what follows the rewards
 * @param advantages what is made of the estimated advantages
 * @param kl the KL penalty in the reward
 * @param distill the loss by the reference's distribution, or null for none
 */
public record AlgorithmConfig(
    EstimatorConfig estimator,
    int ppoEpochs,
    BatchAdjustment adjustment,
    boolean recomputeOldLogProbs,
    double maxGradNorm,
    LossSettings loss,
    RewardShapingConfig rewards,
    SampleMaskConfig masks,
    AdvantageConfig advantages,
    KlConfig kl,
    @Nullable DistillConfig distill) {
  /** Creates the configuration of an algorithm that leaves out no samples. */
  public AlgorithmConfig(
      EstimatorConfig estimator,
      int ppoEpochs,
      BatchAdjustment adjustment,
      boolean recomputeOldLogProbs,
      double maxGradNorm,
      LossSettings loss,
      RewardShapingConfig rewards,
      AdvantageConfig advantages,
      KlConfig kl) {
    this(
        estimator,
        ppoEpochs,
        adjustment,
        recomputeOldLogProbs,
        maxGradNorm,
        loss,
        rewards,
        SampleMaskConfig.NONE,
        advantages,
        kl,
        null);
  }
}

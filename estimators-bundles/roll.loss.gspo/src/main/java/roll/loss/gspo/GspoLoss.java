package roll.loss.gspo;

import org.osgi.service.component.annotations.Component;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.LossSettings;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.PolicyLoss;
import roll.api.loss.RollLoss;
import roll.api.option.Options;
import roll.math.PolicyLossEvaluator;

/**
 * Group sequence policy optimization (Zheng et al. 2025, eqs. 5 and 7, and GSPO-token, eq. 13):
 * PPO's clip on the geometric mean of a sample's ratios. The gradient of each token's share runs
 * through that token's own log-prob, as in GSPO-token and verl; where all tokens of a sample have
 * one advantage that is the derivative.
 */
@Component(name = "roll.loss.gspo")
@RollLoss("gspo")
public final class GspoLoss implements PolicyLoss {
  /** Maximum ratio; larger ratios are clamped (verl). */
  private static final double MAX_RATIO = Math.exp(10);

  @Override
  public LossInfo info() {
    return LossInfo.of(
            "clipped ratio of the whole sample",
            """
            L = −min(sA, clip(s, 1 − ε_low, 1 + ε_high) A), s = exp(mean over the sample of ℓ − ℓ_old)
            always the mean over samples of means over tokens\
            """,
            "Zheng et al. 2025, arXiv:2507.18071")
        .reading(LossInfo.PG_CLIP);
  }

  @Override
  public LossResult evaluate(LossInput in, Options options) {
    LossSettings settings = in.settings();
    return new PolicyLossEvaluator(in)
        .ratioOfSample()
        .aggregated(Aggregation.SEQ_MEAN_TOKEN_MEAN)
        .evaluate(
            token -> {
              double ratio = Math.min(token.ratio(), MAX_RATIO);
              double free = ratio * token.advantage();
              double clipped =
                  Math.clamp(ratio, 1 - settings.clipLow(), 1 + settings.clipHigh())
                      * token.advantage();
              boolean moves = free <= clipped && ratio < MAX_RATIO;
              token.byLogProb(-Math.min(free, clipped), moves ? -free : 0);
              token.clipped(clipped < free);
            });
  }
}

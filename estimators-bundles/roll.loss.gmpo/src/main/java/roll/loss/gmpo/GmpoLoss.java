package roll.loss.gmpo;

import org.osgi.service.component.annotations.Component;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.LossSettings;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.PolicyLoss;
import roll.api.loss.RollLoss;
import roll.api.option.Options;
import roll.math.LogRatios;
import roll.math.PolicyLossEvaluator;

/**
 * Geometric-mean policy optimization (Zhao et al. 2025), verl's {@code geo_mean}: the log-ratio of
 * each token is clipped where that lowers the objective, and a sample's ratio is the geometric mean
 * of the clipped ratios. A sample has one advantage, the mean over its tokens.
 */
@Component(name = "roll.loss.gmpo")
@RollLoss({"gmpo", "geo_mean"})
public final class GmpoLoss implements PolicyLoss {
  @Override
  public LossInfo info() {
    return LossInfo.of(
            "geometric mean of ratios clipped token by token",
            """
            L = −Ā exp(mean over the sample of d'), Ā: mean of A over the sample
            d' = d clipped to [−ε_low, ε_high] where that lowers Ad, d = ℓ − ℓ_old
            always the mean over samples\
            """,
            "Zhao et al. 2025, arXiv:2507.20673")
        .reading(LossInfo.PG_CLIP);
  }

  @Override
  public LossResult evaluate(LossInput in, Options options) {
    LossSettings settings = in.settings();
    double[] logRatios = LogRatios.logRatios(in);
    double[] clipped = in.layout().column(t -> clip(logRatios[t], in.advantages()[t], settings));
    double[] logRatio = LogRatios.sampleMeans(in.layout(), clipped);
    double[] ratio = LogRatios.exponentials(logRatio);
    double[] advantage = LogRatios.sampleMeans(in.layout(), in.advantages());
    return new PolicyLossEvaluator(in)
        .ratioOfToken()
        .aggregated(Aggregation.SEQ_MEAN_TOKEN_MEAN)
        .importanceOfSample()
        .evaluate(
            token -> {
              int t = token.cell();
              double loss = -advantage[t] * ratio[t];
              boolean acts = clipped[t] != token.logRatio();
              boolean held = Math.abs(logRatio[t]) >= LogRatios.MAX_LOG_RATIO;
              // each token moves the whole sample's loss by its part of the mean
              token.byLogProb(loss, acts || held ? 0 : loss);
              token.clipped(acts);
            });
  }

  /** The log-ratio that gives the lower objective; without an advantage there is none. */
  private static double clip(double logRatio, double advantage, LossSettings settings) {
    if (advantage == 0) {
      return 0;
    }
    double within = Math.clamp(logRatio, -settings.clipLow(), settings.clipHigh());
    return advantage > 0 ? Math.min(logRatio, within) : Math.max(logRatio, within);
  }
}

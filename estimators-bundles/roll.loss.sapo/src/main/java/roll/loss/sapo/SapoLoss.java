package roll.loss.sapo;

import org.osgi.service.component.annotations.Component;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.PolicyLoss;
import roll.api.loss.RollLoss;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.math.PolicyLossEvaluator;

/**
 * Soft adaptive policy optimization (Gao et al. 2025): a sigmoid of the ratio instead of a clip.
 */
@Component(name = "roll.loss.sapo")
@RollLoss("sapo")
public final class SapoLoss implements PolicyLoss {
  private static final Option<Double> TAU_POS =
      Option.positive("tau_pos", "steepness where A > 0").withDefault(1.0);
  private static final Option<Double> TAU_NEG =
      Option.positive("tau_neg", "steepness where A ≤ 0").withDefault(1.05);

  @Override
  public LossInfo info() {
    return LossInfo.of(
            "soft gate on ratios",
            """
            L = −A (4/τ) sigmoid(τ (ρ − 1)), τ = tau_pos where A > 0, else tau_neg
            always the mean over samples of means over tokens\
            """,
            "Gao et al. 2025, arXiv:2511.20347")
        .reading(LossInfo.RATIO_TYPE)
        .withOptions(TAU_POS, TAU_NEG);
  }

  @Override
  public LossResult evaluate(LossInput in, Options options) {
    double positive = options.get(TAU_POS);
    double negative = options.get(TAU_NEG);
    return new PolicyLossEvaluator(in)
        .aggregated(Aggregation.SEQ_MEAN_TOKEN_MEAN)
        .evaluate(
            token -> {
              double tau = token.advantage() > 0 ? positive : negative;
              double gate = 1 / (1 + Math.exp(-tau * (token.ratio() - 1)));
              double loss = -token.advantage() * gate * 4 / tau;
              token.byRatio(loss, loss * tau * (1 - gate) * token.ratio());
            });
  }
}

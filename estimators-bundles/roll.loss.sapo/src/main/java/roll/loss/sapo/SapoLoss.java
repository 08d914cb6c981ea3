package roll.loss.sapo;

import org.osgi.service.component.annotations.Component;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.PolicyLoss;
import roll.api.loss.RollLoss;
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.math.TokenPass;

/**
 * Soft adaptive policy optimization (Gao et al. 2025): a sigmoid of the ratio instead of a clip.
 */
@Component(name = "roll.loss.sapo")
@RollLoss("sapo")
public final class SapoLoss implements PolicyLoss {
  private static final LossInfo INFO =
      LossInfo.of(
              "soft gate on ratios",
              """
              L = −A (4/τ) sigmoid(τ (ρ − 1)), τ = tau_pos where A > 0, else tau_neg
              always the mean over samples of means over tokens\
              """,
              "Gao et al. 2025, arXiv:2511.20347")
          .reading(LossInfo.RATIO_TYPE)
          .withOptions(
              new OptionInfo("tau_pos", OptionInfo.Type.NUMBER, 1.0, "steepness where A > 0"),
              new OptionInfo("tau_neg", OptionInfo.Type.NUMBER, 1.05, "steepness elsewhere"));

  @Override
  public LossInfo info() {
    return INFO;
  }

  @Override
  public LossResult evaluate(LossInput in, Options options) {
    double positive = steepness(options, "tau_pos");
    double negative = steepness(options, "tau_neg");
    return new TokenPass(in)
        .aggregated(Aggregation.SEQ_MEAN_TOKEN_MEAN)
        .evaluate(
            token -> {
              double tau = token.advantage() > 0 ? positive : negative;
              double gate = 1 / (1 + Math.exp(-tau * (token.ratio() - 1)));
              double loss = -token.advantage() * gate * 4 / tau;
              token.byRatio(loss, loss * tau * (1 - gate) * token.ratio());
            });
  }

  private static double steepness(Options options, String name) {
    double tau = options.number(name, 0, Double.MAX_VALUE);
    if (tau == 0) {
      throw options.wrong(name, "a number above 0");
    }
    return tau;
  }
}

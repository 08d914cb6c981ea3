package roll.loss.tis;

import org.osgi.service.component.annotations.Component;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.api.loss.RollLoss;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.math.PolicyLossEvaluator;

/** The policy gradient with truncated importance sampling, the ratio held constant, as in ROLL. */
@Component(name = "roll.loss.tis")
@RollLoss("tis")
public final class TisLoss implements PolicyLoss {
  private static final Option<Double> LOWER =
      Option.number("tis_lower_bound", 0, Double.MAX_VALUE, "least weight").withDefault(0.0);
  private static final Option<Double> UPPER =
      Option.number("tis_upper_bound", 0, Double.MAX_VALUE, "largest weight").withDefault(1.0);

  @Override
  public LossInfo info() {
    return LossInfo.of(
            "policy gradient weighted by truncated ratios",
            "L = −sg(clip(ρ, tis_lower_bound, tis_upper_bound)) Aℓ",
            "Ionides 2008, Truncated Importance Sampling; with these bounds: Le Roux et al. 2025,"
                + " arXiv:2503.14286")
        .reading(LossInfo.RATIO_TYPE)
        .withOptions(LOWER, UPPER);
  }

  @Override
  public LossResult evaluate(LossInput in, Options options) {
    double low = options.get(LOWER);
    double high = options.get(UPPER);
    if (high < low) {
      throw options.wrong(UPPER, "a number of at least " + low);
    }
    return new PolicyLossEvaluator(in)
        .withMeans(
            "actor/tis_lower_clipfrac",
            "actor/tis_upper_clipfrac",
            "actor/tis_total_clipfrac",
            "actor/tis_clipped_ratio_mean")
        .evaluate(
            token -> {
              double ratio = token.ratio();
              double held = Math.clamp(ratio, low, high);
              double slope = -held * token.advantage();
              token.byLogProb(slope * token.logProb(), slope);
              token.clipped(held != ratio);
              token.extra(0, ratio < low);
              token.extra(1, ratio > high);
              token.extra(2, held != ratio);
              token.extra(3, held);
            });
  }
}

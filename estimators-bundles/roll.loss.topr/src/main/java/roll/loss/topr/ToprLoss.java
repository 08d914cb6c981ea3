package roll.loss.topr;

import org.osgi.service.component.annotations.Component;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.api.loss.RollLoss;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.math.PolicyLossEvaluator;

/**
 * Tapered off-policy REINFORCE (Le Roux et al. 2025, eq. 8): what scored above 0 is learned as if
 * it were on-policy, the rest is weighted by its ratio truncated to [0, 1], which is held constant.
 * Where there are no scores, as in a batch tried by hand, the sign of the advantage decides.
 */
@Component(name = "roll.loss.topr")
@RollLoss("topr")
public final class ToprLoss implements PolicyLoss {
  private static final Option<Double> POSITIVE_WEIGHT =
      Option.number("topr_positive_weight", 0, Double.MAX_VALUE, "weight of good samples")
          .withDefault(1.0);
  private static final Option<Double> NEGATIVE_WEIGHT =
      Option.number("topr_negative_weight", 0, Double.MAX_VALUE, "weight of the others")
          .withDefault(1.0);

  @Override
  public LossInfo info() {
    return LossInfo.of(
            "good samples as they are, others tapered",
            """
            L = −topr_positive_weight · Aℓ                     where the sample's score > 0
            L = −topr_negative_weight · sg(clip(ρ, 0, 1)) Aℓ   otherwise\
            """,
            "Le Roux et al. 2025, arXiv:2503.14286")
        .reading(LossInfo.RATIO_TYPE)
        .withOptions(POSITIVE_WEIGHT, NEGATIVE_WEIGHT);
  }

  @Override
  public LossResult evaluate(LossInput in, Options options) {
    double good = options.get(POSITIVE_WEIGHT);
    double bad = options.get(NEGATIVE_WEIGHT);
    double[] known = in.columnOrNull(LossInput.SCORES);
    double[] scores = known == null ? in.advantages() : known;
    return new PolicyLossEvaluator(in)
        .withMeans(
            "actor/topr_positive_loss",
            "actor/topr_negative_loss",
            "actor/topr_positive_ratio",
            "actor/topr_negative_ratio",
            "actor/topr_negative_total_clipfrac")
        .evaluate(
            token -> {
              boolean positive = scores[token.cell()] > 0;
              double taper = positive ? 1 : Math.min(token.ratio(), 1);
              double slope = -taper * token.advantage();
              double weight = positive ? good : bad;
              token.byLogProb(weight * slope * token.logProb(), weight * slope);
              token.clipped(!positive && token.ratio() > 1);
              token.extra(0, positive ? slope * token.logProb() : 0);
              token.extra(1, positive ? 0 : slope * token.logProb());
              token.extra(2, positive);
              token.extra(3, !positive);
              token.extra(4, !positive && token.ratio() > 1);
            });
  }
}

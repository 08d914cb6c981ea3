package roll.loss.cispo;

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
 * Clipped importance sampling policy optimization (MiniMax-M1 2025, eqs. 4 and 5): the policy
 * gradient weighted by the clipped ratio, which is held constant, so that every token keeps a
 * gradient.
 */
@Component(name = "roll.loss.cispo")
@RollLoss("cispo")
public final class CispoLoss implements PolicyLoss {
  private static final Option<Double> EPSILON_LOW =
      Option.number(
              "cispo_epsilon_low", 0, Double.MAX_VALUE, "lower bound; from 1 on there is none")
          .withDefault(0.1);
  private static final Option<Double> EPSILON_HIGH =
      Option.number("cispo_epsilon_high", 0, Double.MAX_VALUE, "upper bound").withDefault(0.1);
  private static final Option<Boolean> UNIFIED_MASK =
      Option.flag(
              "cispo_use_unified_mask", "drops the tokens that PPO would clip (the paper's eq. 7)")
          .withDefault(false);

  @Override
  public LossInfo info() {
    return LossInfo.of(
            "policy gradient weighted by clipped ratios",
            """
            L = −sg(clip(ρ, 1 − cispo_epsilon_low, 1 + cispo_epsilon_high)) Aℓ
            cispo_use_unified_mask: 0 where PPO's clip would act\
            """,
            "MiniMax 2025, MiniMax-M1, arXiv:2506.13585")
        .reading(LossInfo.RATIO_TYPE)
        .withOptions(EPSILON_LOW, EPSILON_HIGH, UNIFIED_MASK);
  }

  @Override
  public LossResult evaluate(LossInput in, Options options) {
    double low = 1 - options.get(EPSILON_LOW);
    double high = 1 + options.get(EPSILON_HIGH);
    boolean unified = options.get(UNIFIED_MASK);
    return new PolicyLossEvaluator(in)
        .withMeans(
            "actor/cispo_lower_clipfrac",
            "actor/cispo_upper_clipfrac",
            "actor/cispo_total_clipfrac",
            "actor/cispo_clipped_ratio_mean",
            "actor/cispo_kept_tokens")
        .evaluate(
            token -> {
              double advantage = token.advantage();
              double ratio = token.ratio();
              double held = Math.clamp(ratio, low, high);
              boolean dropped =
                  unified && (advantage > 0 ? ratio > high : advantage < 0 && ratio < low);
              double slope = dropped ? 0 : -held * advantage;
              token.byLogProb(slope * token.logProb(), slope);
              token.clipped(held != ratio);
              token.extra(0, ratio < low);
              token.extra(1, ratio > high);
              token.extra(2, held != ratio);
              token.extra(3, held);
              token.extra(4, !dropped);
            });
  }
}

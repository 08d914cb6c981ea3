package roll.loss.ppo;

import org.osgi.service.component.annotations.Component;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.LossSettings;
import roll.api.loss.PolicyLoss;
import roll.api.loss.RollLoss;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.math.PolicyLossEvaluator;

/**
 * The clipped surrogate of PPO (Schulman et al. 2017, eq. 7) with asymmetric bounds (DAPO, Yu et
 * al. 2025) and dual clip (Ye et al. 2020, eq. 5), as in ROLL's actor and verl's "vanilla".
 */
@Component(name = "roll.loss.ppo")
@RollLoss("ppo")
public final class PpoLoss implements PolicyLoss {
  private static final Option<Double> BOUND =
      Option.number(
          "clip_ratio_c",
          1,
          Double.MAX_VALUE,
          "c of the dual clip, above 1; dual_clip_loss alone means 1 + 2 · pg_clip");

  @Override
  public LossInfo info() {
    return LossInfo.of(
            "clipped ratios",
            """
            L = −min(ρA, clip(ρ, 1 − ε_low, 1 + ε_high) A), where A < 0 at most −cA
            ρ = exp(ℓ − ℓ_old), of the token or of its turn (ratio_type)\
            """,
            "Schulman et al. 2017, arXiv:1707.06347; dual clip: Ye et al. 2020, arXiv:1912.09729;"
                + " clip-higher: Yu et al. 2025, DAPO, arXiv:2503.14476")
        .reading(LossInfo.PG_CLIP, LossInfo.DUAL_CLIP_LOSS, LossInfo.RATIO_TYPE)
        .withOptions(BOUND);
  }

  @Override
  public LossResult evaluate(LossInput in, Options options) {
    LossSettings settings = in.settings();
    double low = 1 - settings.clipLow();
    double high = 1 + settings.clipHigh();
    double c = bound(settings, options);
    return new PolicyLossEvaluator(in)
        .withMeans(
            "actor/ppo_ratio_clipfrac",
            "actor/ppo_ratio_low_clipfrac",
            "actor/ppo_ratio_high_clipfrac",
            "actor/pg_clipfrac_lower")
        .evaluate(
            token -> {
              double advantage = token.advantage();
              double ratio = token.ratio();
              double free = ratio * advantage;
              double clipped = Math.clamp(ratio, low, high) * advantage;
              double least = advantage < 0 ? c * advantage : Double.NEGATIVE_INFINITY;
              boolean moves = free <= clipped && free >= least;
              token.byRatio(-Math.max(Math.min(free, clipped), least), moves ? -free : 0);
              token.clipped(clipped < free);
              token.extra(0, ratio < low || ratio > high);
              token.extra(1, ratio < low);
              token.extra(2, ratio > high);
              token.extra(3, Math.min(free, clipped) < least);
            });
  }

  /** The constant of the dual clip; infinite where there is none. */
  private static double bound(LossSettings settings, Options options) {
    if (options.has(BOUND) && options.get(BOUND) == 1) {
      throw options.wrong(BOUND, "a number above 1");
    }
    Double usual = settings.dualClip();
    return options.find(BOUND).orElse(usual == null ? Double.POSITIVE_INFINITY : usual);
  }
}

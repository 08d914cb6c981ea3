package roll.loss.dppo;

import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.api.loss.RollLoss;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.math.LossToken;
import roll.math.PolicyLossEvaluator;

/**
 * Divergence PPO (arXiv:2602.04879): a token that left the trust region in the direction of its
 * advantage has no gradient. The divergence is that of two outcomes, this token or any other.
 */
@Component(name = "roll.loss.dppo")
@RollLoss("dppo")
public final class DppoLoss implements PolicyLoss {
  /** Keeps the logarithm finite where a probability is 1, as in verl. */
  private static final double LEAST = 1e-8;

  private static final Option<String> DIVERGENCE =
      Option.choice("divergence", List.of("tv", "kl"), "D, which `pg_clip` bounds")
          .withDefault("tv");
  private static final Option<Double> BOUND =
      Option.number("clip_ratio_c", 1, Double.MAX_VALUE, "largest weight").withDefault(20.0);

  @Override
  public LossInfo info() {
    return LossInfo.of(
            "policy gradient within a bound of the divergence",
            """
            L = −sg(min(ρ, clip_ratio_c)) Aℓ; 0 where A > 0, p > p_old, D > ε_high
            or A < 0, p < p_old, D > ε_low
            D = |p − p_old| (tv), or KL(p_old ‖ p) of this token and all others (kl)\
            """,
            "DPPO, arXiv:2602.04879")
        .reading(LossInfo.PG_CLIP)
        .withOptions(DIVERGENCE, BOUND);
  }

  @Override
  public LossResult evaluate(LossInput in, Options options) {
    boolean kl = options.get(DIVERGENCE).equals("kl");
    double low = in.settings().clipLow();
    double high = in.settings().clipHigh();
    double most = options.get(BOUND);
    return new PolicyLossEvaluator(in)
        .ratioOfToken()
        .withMeans("actor/pg_clipfrac_lower")
        .evaluate(
            token -> {
              boolean up = token.advantage() > 0;
              boolean away = up ? token.logRatio() > 0 : token.logRatio() < 0;
              boolean dropped = away && divergence(token, kl) > (up ? high : low);
              double held = dropped ? 0 : Math.min(token.ratio(), most);
              double slope = -held * token.advantage();
              token.byLogProb(slope * token.logProb(), slope);
              token.clipped(dropped);
              token.extra(0, !dropped && token.ratio() > most);
            });
  }

  private static double divergence(LossToken token, boolean kl) {
    double now = Math.exp(token.logProb());
    double old = Math.exp(token.logProb() - token.logRatio());
    return kl
        ? -old * token.logRatio() + (1 - old) * Math.log((1 - old + LEAST) / (1 - now + LEAST))
        : Math.abs(now - old);
  }
}

package roll.loss.kimi;

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
 * The loss of Kimi k1.5 (2025, eq. 3): the policy gradient and a quadratic pull to the old policy,
 * token by token as in ROLL.
 */
@Component(name = "roll.loss.kimi")
@RollLoss({"kimi15", "kimi"})
public final class KimiLoss implements PolicyLoss {
  private static final Option<Double> TAU =
      Option.number("kimi15_tau", 0, Double.MAX_VALUE, "weight of the pull").withDefault(0.1);

  @Override
  public LossInfo info() {
    return LossInfo.of(
            "policy gradient with a quadratic pull to the old policy",
            "L = −Aℓ + (τ/2) (ℓ − ℓ_old)², τ = kimi15_tau",
            "Kimi Team 2025, arXiv:2501.12599")
        .withOptions(TAU);
  }

  @Override
  public LossResult evaluate(LossInput in, Options options) {
    double tau = options.get(TAU);
    return new PolicyLossEvaluator(in)
        .withMeans(
            "actor/kimi15_log_ratio_mean",
            "actor/kimi15_log_ratio_abs_mean",
            "actor/kimi15_policy_grad_magnitude",
            "actor/kimi15_kl_reg_magnitude")
        .evaluate(
            token -> {
              double advantage = token.advantage();
              double logRatio = token.logRatio();
              double pull = tau * logRatio * logRatio / 2;
              token.byLogProb(-advantage * token.logProb() + pull, -advantage + tau * logRatio);
              token.extra(0, logRatio);
              token.extra(1, Math.abs(logRatio));
              token.extra(2, Math.abs(advantage * logRatio));
              token.extra(3, pull);
            });
  }
}

package roll.loss.kl_cov;

import org.osgi.service.component.annotations.Component;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.api.loss.RollLoss;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.math.PolicyLossEvaluator;
import roll.math.TokenStatistics;

/**
 * KL-Cov (Cui et al. 2025, eqs. 12 and 13): the unclipped surrogate with a pull to the old policy
 * on the tokens whose advantage and log-prob are highest together.
 */
@Component(name = "roll.loss.kl_cov")
@RollLoss("kl_cov")
public final class KlCovLoss implements PolicyLoss {
  private static final Option<Double> RATIO =
      Option.number("kl_cov_ratio", 0, 1, "share of tokens chosen").withDefault(0.0002);
  private static final Option<Double> COEF =
      Option.number(
              "ppo_kl_coef",
              0,
              Double.MAX_VALUE,
              "weight of the pull; verl's code takes 1.0 where its config has none")
          .withDefault(0.1);

  @Override
  public LossInfo info() {
    return LossInfo.of(
            "unclipped ratios with a pull on tokens of high covariance",
            """
            L = −ρA, and ppo_kl_coef · |ℓ − ℓ_old| more for the chosen tokens
            chosen: the max(1, kl_cov_ratio · tokens) with the largest (A − mean A)(ℓ − mean ℓ),
            means over the optimizer batch\
            """,
            "Cui et al. 2025, arXiv:2505.22617")
        .withSurvey()
        .withOptions(RATIO, COEF);
  }

  @Override
  public double[] survey(LossInput whole, Options options, long[] keys) {
    int count = Math.max(1, (int) (options.get(RATIO) * whole.denominators().tokens()));
    return TokenStatistics.largest(whole, count, TokenStatistics.covariance(whole), keys);
  }

  @Override
  public LossResult evaluate(LossInput in, Options options) {
    double weight = options.get(COEF);
    double[] chosen = in.column(LossInput.SURVEY);
    return new PolicyLossEvaluator(in)
        .ratioOfToken()
        .withMeans("actor/ppo_kl_abs")
        .evaluate(
            token -> {
              double free = -token.ratio() * token.advantage();
              double pull = chosen[token.cell()] == 0 ? 0 : weight;
              double distance = Math.abs(token.logRatio());
              token.byRatio(free + pull * distance, free + pull * Math.signum(token.logRatio()));
              token.extra(0, distance);
            });
  }
}

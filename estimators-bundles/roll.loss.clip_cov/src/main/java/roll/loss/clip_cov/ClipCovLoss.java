package roll.loss.clip_cov;

import java.util.function.IntToDoubleFunction;
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
import roll.math.TokenStatistics;

/**
 * Clip-Cov (Cui et al. 2025, eq. 11): PPO without a few tokens sampled from those whose advantage
 * and log-prob are high together, since these drive the entropy down.
 */
@Component(name = "roll.loss.clip_cov")
@RollLoss("clip_cov")
public final class ClipCovLoss implements PolicyLoss {
  private static final Option<Double> RATIO =
      Option.number("clip_cov_ratio", 0, 1, "share of sampled tokens").withDefault(0.0002);
  private static final Option<Double> LEAST =
      Option.number("clip_cov_lb", "least covariance").withDefault(1.0);
  private static final Option<Double> MOST =
      Option.number("clip_cov_ub", "largest covariance").withDefault(5.0);

  @Override
  public LossInfo info() {
    return LossInfo.of(
            "clipped ratios without some tokens of high covariance",
            """
            L = −min(ρA, clip(ρ, 1 − ε_low, 1 + ε_high) A), 0 for the sampled tokens
            sampled: max(1, clip_cov_ratio · tokens) of those that are not clipped and have
            clip_cov_lb < (A − mean A)(ℓ − mean ℓ) < clip_cov_ub, means over the optimizer batch\
            """,
            "Cui et al. 2025, arXiv:2505.22617")
        .reading(LossInfo.PG_CLIP)
        .withSurvey()
        .withOptions(RATIO, LEAST, MOST);
  }

  @Override
  public double[] survey(LossInput whole, Options options, long[] keys) {
    double least = options.get(LEAST);
    double most = options.get(MOST);
    if (most < least) {
      throw options.wrong(MOST, "a number of at least " + least);
    }
    int count = Math.max(1, (int) (options.get(RATIO) * whole.denominators().tokens()));
    IntToDoubleFunction covariance = TokenStatistics.covariance(whole);
    // all candidates alike: which of them are drawn is random
    return TokenStatistics.largest(
        whole,
        count,
        t -> {
          double c = covariance.applyAsDouble(t);
          return c > least && c < most && !clipped(whole, t) ? 1 : Double.NaN;
        },
        keys);
  }

  private static boolean clipped(LossInput in, int t) {
    double ratio = Math.exp(in.policy().logProbs()[t] - in.policy().oldLogProbs()[t]);
    return clip(ratio, in.settings()) * in.advantages()[t] < ratio * in.advantages()[t];
  }

  private static double clip(double ratio, LossSettings settings) {
    return Math.clamp(ratio, 1 - settings.clipLow(), 1 + settings.clipHigh());
  }

  @Override
  public LossResult evaluate(LossInput in, Options options) {
    double[] drawn = in.column(LossInput.SURVEY);
    return new PolicyLossEvaluator(in)
        .ratioOfToken()
        .withMeans("actor/ppo_ratio_clipfrac")
        .evaluate(
            token -> {
              double free = token.ratio() * token.advantage();
              double clipped = clip(token.ratio(), in.settings()) * token.advantage();
              boolean dropped = drawn[token.cell()] != 0;
              token.byRatio(
                  dropped ? 0 : -Math.min(free, clipped), dropped || clipped < free ? 0 : -free);
              token.clipped(dropped);
              token.extra(0, clip(token.ratio(), in.settings()) != token.ratio());
            });
  }
}

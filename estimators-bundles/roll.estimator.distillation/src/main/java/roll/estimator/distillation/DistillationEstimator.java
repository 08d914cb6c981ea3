package roll.estimator.distillation;

import org.osgi.service.component.annotations.Component;
import roll.api.data.Batch;
import roll.api.data.Layout;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.RollEstimator;
import roll.api.estimator.TokenRewards;
import roll.api.option.Option;
import roll.api.option.Options;

/**
 * On-policy distillation (Agarwal et al. 2024; Lu et al. 2025): the student samples, and the
 * teacher, which is the reference, judges each token. The policy gradient with these advantages is
 * in expectation that of a divergence over the whole vocabulary, the generalized Jensen–Shannon
 * divergence with {@code beta}, divided by β(1−β): the reverse KL divergence at 1, the forward one
 * at 0. β is that of {@code generalized_jsd_loss} in {@code
 * huggingface/trl@054a0dab:trl/experimental/gkd/gkd_trainer.py}.
 */
@Component(name = "roll.estimator.distillation")
@RollEstimator({"distillation", "on_policy_distillation"})
public final class DistillationEstimator implements AdvantageEstimator {
  private static final Option<Double> DISCOUNT =
      Option.number("kl_discount_factor", 0, 1, "γ; 0: each token is judged by itself")
          .withDefault(0.0);
  private static final Option<Double> BETA =
      Option.number("beta", 0, 1, "β; 1: reverse KL, 0: forward KL, between: Jensen–Shannon")
          .withDefault(1.0);
  private static final Option<Double> REWARD_WEIGHT =
      Option.number("reward_weight", 0, 1e6, "w; 0: rewards are ignored").withDefault(0.0);

  @Override
  public EstimatorInfo info() {
    return EstimatorInfo.of(
            "log-prob of the teacher minus the student's, or another divergence's weight",
            """
            d_t = log π_teacher(a_t) − log π_student(a_t)
            k_t = log(1 + β·(exp(d_t) − 1)) / β; β = 1: d_t, β = 0: exp(d_t) − 1
            A_t = Σ_{s ≥ t} γ^(s−t) · k_s + w · Σ_{s ≥ t} r_s over policy tokens\
            """,
            "Agarwal et al. 2024, On-Policy Distillation of Language Models, arXiv:2306.13649; Lu"
                + " et al. 2025, On-Policy Distillation, Thinking Machines Lab")
        .withNeeds(Batch.OLD_LOG_PROBS, Batch.REFERENCE_LOG_PROBS)
        .withOptions(BETA, DISCOUNT, REWARD_WEIGHT)
        .withExample(
            TokenRewards.of(new double[][] {{0, 0, 1}, {0, 0}}, new int[][] {{1, 1, 1}, {1, 1}})
                .withColumn(Batch.OLD_LOG_PROBS, -.5, -1, -.2, -.1, -2)
                .withColumn(Batch.REFERENCE_LOG_PROBS, -.1, -3, -.2, -.3, -1));
  }

  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    double[] student = rewards.column(Batch.OLD_LOG_PROBS);
    double[] teacher = rewards.column(Batch.REFERENCE_LOG_PROBS);
    double weight = options.get(REWARD_WEIGHT);
    Layout layout = rewards.layout();
    double beta = options.get(BETA);
    double[] k = layout.column(t -> weight(teacher[t] - student[t], beta));
    double[] kToGo = layout.toGo(k, options.get(DISCOUNT));
    double[] rewardsToGo = rewards.rewardsToGo(1);
    return Advantages.of(layout.column(t -> kToGo[t] + weight * rewardsToGo[t]));
  }

  /** Returns the weight of a token whose teacher's log-prob is greater by {@code difference}. */
  private static double weight(double difference, double beta) {
    if (beta == 1) {
      return difference;
    }
    double more = Math.expm1(difference);
    return beta == 0 ? more : Math.log1p(beta * more) / beta;
  }
}

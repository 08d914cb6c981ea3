package roll.estimator.distillation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.data.Batch;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.TokenRewards;
import roll.api.option.UserException;
import roll.testkit.EstimatorContract;

/**
 * Numbers of {@code incorporate_kl_penalty} of {@code
 * thinking-machines-lab/tinker-cookbook@53aaf8d:tinker_cookbook/distillation/train_on_policy.py#L97}
 * and {@code agentic_compute_advantage} of {@code
 * alibaba/ROLL@8eb27cc:roll/pipeline/agentic/utils.py#L524}, by hand.
 */
class DistillationEstimatorTest extends EstimatorContract {
  /** Differences .25, −2 and −.5, and an observation between the two turns. */
  private static final TokenRewards REWARDS =
      TokenRewards.of(new double[][] {{0, 0, 0, 2}}, new int[][] {{1, 1, 0, 1}})
          .withColumn(Batch.OLD_LOG_PROBS, -.5, -1, -7, -.25)
          .withColumn(Batch.REFERENCE_LOG_PROBS, -.25, -3, -9, -.75);

  @Override
  protected AdvantageEstimator estimator() {
    return new DistillationEstimator();
  }

  @Test
  void aTokenIsWorthWhatTheTeacherFindsItLikelier() {
    assertArrayEquals(new double[] {.25, -2, 0, -.5}, estimate(REWARDS).advantages());
  }

  @Test
  void theStudentThatIsItsTeacherHasNothingToLearn() {
    double[] same = REWARDS.column(Batch.OLD_LOG_PROBS);
    assertArrayEquals(
        new double[4], estimate(REWARDS.withColumn(Batch.REFERENCE_LOG_PROBS, same)).advantages());
  }

  @Test
  void laterTokensOfTheSampleCountWithTheDiscount() {
    assertArrayEquals(
        new double[] {.25 - 1.125, -2.25, 0, -.5},
        estimate(REWARDS, Map.of("kl_discount_factor", .5)).advantages());
  }

  @Test
  void rewardsCountWithTheirWeight() {
    assertArrayEquals(
        new double[] {.25 + .5, -2 + .5, 0, -.5 + .5},
        estimate(REWARDS, Map.of("reward_weight", .25)).advantages());
  }

  /** Ratios of ¼, 1 and 3: r − 1, and 2 · log((1 + r) / 2). */
  @Test
  void otherDivergencesWeighByTheRatio() {
    TokenRewards ratios =
        TokenRewards.of(new double[][] {{0, 0, 0}}, new int[][] {{1, 1, 1}})
            .withColumn(Batch.OLD_LOG_PROBS, Math.log(.8), -1, Math.log(.25))
            .withColumn(Batch.REFERENCE_LOG_PROBS, Math.log(.2), -1, Math.log(.75));
    assertArrayEquals(
        new double[] {-.75, 0, 2}, estimate(ratios, Map.of("beta", 0)).advantages(), 1e-12);
    assertArrayEquals(
        new double[] {2 * Math.log(.625), 0, 2 * Math.log(2)},
        estimate(ratios, Map.of("beta", .5)).advantages(),
        1e-12);
  }

  /**
   * The expected policy gradient Σ q·A·∂log q over a vocabulary of four is minus the gradient of
   * the divergence by its logits, which central differences measure. β(1−β) divides that of
   * Jensen–Shannon, as its limits are the two KL divergences.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0, .1, .5, .9, 1})
  void theExpectedGradientIsThatOfTheDivergence(double beta) {
    double[] teacher = softmax(.3, -1.2, 2, .5);
    double[] logits = {1, .4, -.7, .2};
    double[] student = softmax(logits);
    TokenRewards words =
        TokenRewards.of(new double[1][4], new int[][] {{1, 1, 1, 1}})
            .withColumn(Batch.OLD_LOG_PROBS, logs(student))
            .withColumn(Batch.REFERENCE_LOG_PROBS, logs(teacher));
    double[] advantages = estimate(words, Map.of("beta", beta)).advantages();
    double scale = beta == 0 || beta == 1 ? 1 : beta * (1 - beta);
    for (int by = 0; by < 4; by++) {
      double expected = 0;
      for (int word = 0; word < 4; word++) {
        double gradient = (word == by ? 1 : 0) - student[by];
        expected += student[word] * advantages[word] * gradient;
      }
      double step = 1e-5;
      double[] up = logits.clone();
      up[by] += step;
      double[] down = logits.clone();
      down[by] -= step;
      double slope =
          (divergence(teacher, softmax(up), beta) - divergence(teacher, softmax(down), beta))
              / (2 * step);
      assertEquals(-slope / scale, expected, 1e-8);
    }
  }

  /** β·KL(p‖m) + (1−β)·KL(q‖m) with m = β·p + (1−β)·q; the KL divergences at 1 and 0. */
  private static double divergence(double[] p, double[] q, double beta) {
    double sum = 0;
    for (int word = 0; word < p.length; word++) {
      double m = beta * p[word] + (1 - beta) * q[word];
      double ofTeacher = p[word] * Math.log(p[word] / m);
      double ofStudent = q[word] * Math.log(q[word] / m);
      sum +=
          beta == 0 ? ofTeacher : beta == 1 ? ofStudent : beta * ofTeacher + (1 - beta) * ofStudent;
    }
    return sum;
  }

  private static double[] softmax(double... logits) {
    double sum = Arrays.stream(logits).map(Math::exp).sum();
    return Arrays.stream(logits).map(z -> Math.exp(z) / sum).toArray();
  }

  private static double[] logs(double[] probabilities) {
    return Arrays.stream(probabilities).map(Math::log).toArray();
  }

  @Test
  void wrongOptionsAreRefused() {
    for (String option : new String[] {"beta", "kl_discount_factor", "reward_weight"}) {
      assertThrows(UserException.class, () -> estimate(REWARDS, Map.of(option, -1)));
    }
  }
}

package roll.estimator.distillation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.Test;
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

  @Test
  void wrongOptionsAreRefused() {
    for (String option : new String[] {"kl_discount_factor", "reward_weight"}) {
      assertThrows(UserException.class, () -> estimate(REWARDS, Map.of(option, -1)));
    }
  }
}

package roll.estimator.grpo_passk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.TokenRewards;
import roll.testkit.EstimatorContract;

/**
 * Numbers of {@code compute_grpo_passk_outcome_advantage} of {@code
 * volcengine/verl@b178a3c:verl/trainer/ppo/core_algos.py#L361} in double precision.
 */
class GrpoPasskEstimatorTest extends EstimatorContract {
  @Override
  protected AdvantageEstimator estimator() {
    return new GrpoPasskEstimator();
  }

  @Override
  protected Set<Law> laws() {
    return Set.of(Law.SHIFT, Law.SCALE_FREE);
  }

  private static final TokenRewards REWARDS =
      TokenRewards.of(
          new double[][] {{.2}, {0, .9}, {.5}, {.1}}, new int[][] {{1}, {1, 1}, {1}, {1}});

  @Test
  void onlyTheBestCounts() {
    assertArrayEquals(
        new double[] {0, 1.112970, 1.112970, 0, 0}, estimate(REWARDS).advantages(), TOLERANCE);
    assertArrayEquals(
        new double[] {0, .4, .4, 0, 0},
        estimate(REWARDS, Map.of("norm_adv_by_std_in_grpo", false)).advantages(),
        TOLERANCE);
  }

  @Test
  void twoBestOnesLearnNothing() {
    TokenRewards tie =
        TokenRewards.of(new double[][] {{1}, {1}, {0}, {1}}, new int[][] {{1}, {1}, {1}, {1}})
            .withGroups(0, 0, 0, 1);
    assertArrayEquals(new double[4], estimate(tie).advantages());
  }
}

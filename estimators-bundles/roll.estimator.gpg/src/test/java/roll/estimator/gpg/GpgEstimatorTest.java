package roll.estimator.gpg;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.TokenRewards;
import roll.api.option.UserException;
import roll.testkit.EstimatorContract;

/**
 * Numbers of {@code compute_gpg_outcome_advantage} of {@code
 * volcengine/verl@b178a3c:verl/trainer/ppo/core_algos.py#L658} in double precision.
 */
class GpgEstimatorTest extends EstimatorContract {
  @Override
  protected AdvantageEstimator estimator() {
    return new GpgEstimator();
  }

  @Override
  protected Set<Law> laws() {
    return Set.of(Law.SCALE, Law.SUM_ZERO);
  }

  private static final TokenRewards REWARDS =
      TokenRewards.of(
              new double[][] {{1}, {0}, {0}, {0}, {1}, {.5}},
              new int[][] {{1}, {1}, {1}, {1}, {1}, {1}})
          .withGroups(0, 0, 0, 1, 1, 1);

  /** Three of six outcomes are not 0: twice the centered outcomes. */
  @Test
  void fewUsefulOutcomesCountMore() {
    assertArrayEquals(
        new double[] {1.333333, -.666667, -.666667, -1, 1, 0},
        estimate(REWARDS).advantages(),
        TOLERANCE);
  }

  @Test
  void theNormDivides() {
    assertArrayEquals(
        Arrays.stream(estimate(REWARDS).advantages()).map(a -> a / 4).toArray(),
        estimate(REWARDS, Map.of("f_norm", 4)).advantages(),
        TOLERANCE);
    assertThrows(UserException.class, () -> estimate(REWARDS, Map.of("f_norm", 0)));
  }
}

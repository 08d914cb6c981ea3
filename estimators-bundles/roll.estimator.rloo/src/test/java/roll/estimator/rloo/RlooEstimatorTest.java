package roll.estimator.rloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.TokenRewards;
import roll.testkit.EstimatorContract;
import roll.testkit.TestOptions;

/**
 * Numbers of {@code compute_rloo_outcome_advantage} of {@code
 * volcengine/verl@b178a3c:verl/trainer/ppo/core_algos.py#L477} in double precision.
 */
class RlooEstimatorTest extends EstimatorContract {
  @Override
  protected AdvantageEstimator estimator() {
    return new RlooEstimator();
  }

  @Override
  protected Set<Law> laws() {
    return Set.of(Law.SHIFT, Law.SCALE, Law.SUM_ZERO);
  }

  @Test
  void leavesOneOut() {
    TokenRewards rewards = outcomes(1, 0, .5, .3, .9).withGroups(0, 0, 0, 1, 1);
    assertArrayEquals(
        new double[] {.75, -.75, 0, -.6, .6}, estimate(rewards).advantages(), TOLERANCE);
    assertArrayEquals(
        estimate(rewards).advantages(),
        new RlooVectorizedEstimator()
            .estimate(rewards, TestOptions.defaults(List.of()))
            .advantages());
  }

  @Test
  void aloneItKeepsItsOutcome() {
    assertArrayEquals(new double[] {.8}, estimate(outcomes(.8)).advantages(), TOLERANCE);
  }

  private static TokenRewards outcomes(double... outcomes) {
    double[][] rows =
        Arrays.stream(outcomes).mapToObj(s -> new double[] {s}).toArray(double[][]::new);
    int[][] mask = Arrays.stream(outcomes).mapToObj(s -> new int[] {1}).toArray(int[][]::new);
    return TokenRewards.of(rows, mask);
  }
}

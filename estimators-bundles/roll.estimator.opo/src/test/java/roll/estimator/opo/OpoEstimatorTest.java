package roll.estimator.opo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.TokenRewards;
import roll.testkit.EstimatorContract;

/**
 * Numbers of {@code compute_opo_outcome_advantage} of {@code
 * volcengine/verl@b178a3c:verl/trainer/ppo/core_algos.py#L529} in double precision.
 */
class OpoEstimatorTest extends EstimatorContract {
  @Override
  protected AdvantageEstimator estimator() {
    return new OpoEstimator();
  }

  @Override
  protected Set<Law> laws() {
    return Set.of(Law.SHIFT, Law.SCALE, Law.SUM_ZERO);
  }

  @Test
  void longResponsesWeighMore() {
    TokenRewards rewards =
        TokenRewards.of(
            new double[][] {{1, 0}, {0, 0, 0}, {0, 0, 0, 0}},
            new int[][] {{1, 0}, {1, 1, 1}, {1, 1, 1, 1}});
    double b = -.125;
    assertArrayEquals(
        new double[] {.875, 0, b, b, b, b, b, b, b}, estimate(rewards).advantages(), TOLERANCE);
  }

  @Test
  void aloneItKeepsItsOutcome() {
    TokenRewards one = TokenRewards.of(new double[][] {{0, .7}}, new int[][] {{1, 1}});
    assertArrayEquals(new double[] {.7, .7}, estimate(one).advantages());
  }
}

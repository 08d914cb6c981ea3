package roll.estimator.reinforce_plus_plus_baseline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.TokenRewards;
import roll.testkit.EstimatorContract;

/**
 * Numbers of {@code compute_reinforce_plus_plus_baseline_outcome_advantage} of {@code
 * volcengine/verl@b178a3c:verl/trainer/ppo/core_algos.py#L425} in double precision.
 */
class ReinforcePlusPlusBaselineEstimatorTest extends EstimatorContract {
  @Override
  protected AdvantageEstimator estimator() {
    return new ReinforcePlusPlusBaselineEstimator();
  }

  @Override
  protected Set<Law> laws() {
    return Set.of(Law.SHIFT, Law.SCALE, Law.SUM_ZERO);
  }

  @Test
  void lessTheMeanOfTheGroup() {
    TokenRewards rewards =
        TokenRewards.of(
                new double[][] {{0, 0, 1}, {0}, {0, .5}, {.3, 0}},
                new int[][] {{1, 1, 1}, {1}, {1, 1}, {1, 1}})
            .withGroups(0, 0, 1, 1);
    assertArrayEquals(
        new double[] {.5, .5, .5, -.5, .1, .1, -.1, -.1},
        estimate(rewards).advantages(),
        TOLERANCE);
    assertArrayEquals(
        new double[] {
          1.037217, 1.037217, 1.037217, -1.728695, -.069148, -.069148, -.622330, -.622330
        },
        whitened(rewards),
        TOLERANCE);
  }

  @Test
  void aloneItKeepsItsOutcome() {
    TokenRewards one = TokenRewards.of(new double[][] {{0, .7}}, new int[][] {{1, 1}});
    assertArrayEquals(new double[] {.7, .7}, estimate(one).advantages());
  }
}

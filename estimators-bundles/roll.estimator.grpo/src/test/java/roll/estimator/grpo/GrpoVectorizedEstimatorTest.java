package roll.estimator.grpo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.TokenRewards;
import roll.testkit.EstimatorContract;

/**
 * Numbers of {@code compute_grpo_vectorized_outcome_advantage} of {@code
 * volcengine/verl@b178a3c:verl/trainer/ppo/core_algos.py#L334} in double precision.
 */
class GrpoVectorizedEstimatorTest extends EstimatorContract {
  @Override
  protected AdvantageEstimator estimator() {
    return new GrpoVectorizedEstimator();
  }

  @Override
  protected Set<Law> laws() {
    return Set.of(Law.SHIFT, Law.SCALE_FREE, Law.SUM_ZERO);
  }

  /** A deviation of .000354 counts as .001. */
  @Test
  void nearlyEqualOutcomesStaySmall() {
    TokenRewards close = TokenRewards.of(new double[][] {{.5}, {.5005}}, new int[][] {{1}, {1}});
    assertArrayEquals(new double[] {-.249750, .249750}, estimate(close).advantages(), TOLERANCE);
  }

  @Test
  void otherOutcomesAreThoseOfGrpo() {
    TokenRewards four =
        TokenRewards.of(new double[][] {{1}, {0}, {0}, {1}}, new int[][] {{1}, {1}, {1}, {1}});
    assertArrayEquals(
        new double[] {.866024, -.866024, -.866024, .866024},
        estimate(four).advantages(),
        TOLERANCE);
  }
}

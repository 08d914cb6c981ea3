package roll.estimator.rloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.TokenRewards;
import roll.testkit.EstimatorContract;

/**
 * Numbers of {@code compute_rloo_vectorized_outcome_advantage} of {@code
 * volcengine/verl@b178a3c:verl/trainer/ppo/core_algos.py#L721} in double precision.
 */
class RlooVectorizedEstimatorTest extends EstimatorContract {
  @Override
  protected AdvantageEstimator estimator() {
    return new RlooVectorizedEstimator();
  }

  @Override
  protected Set<Law> laws() {
    return Set.of(Law.SHIFT, Law.SCALE, Law.SUM_ZERO);
  }

  @Test
  void aloneItIsZero() {
    TokenRewards one = TokenRewards.of(new double[][] {{.8}}, new int[][] {{1}});
    assertArrayEquals(new double[] {0}, estimate(one).advantages(), TOLERANCE);
  }
}

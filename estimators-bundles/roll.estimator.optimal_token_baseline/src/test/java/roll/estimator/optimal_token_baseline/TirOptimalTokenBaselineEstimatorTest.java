package roll.estimator.optimal_token_baseline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;
import roll.api.data.Batch;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.TokenRewards;
import roll.testkit.EstimatorContract;

/**
 * Numbers of {@code compute_multi_turn_optimal_token_baseline_advantage} of {@code
 * volcengine/verl@b178a3c:verl/trainer/ppo/core_algos.py#L877} in double precision.
 */
class TirOptimalTokenBaselineEstimatorTest extends EstimatorContract {
  @Override
  protected AdvantageEstimator estimator() {
    return new TirOptimalTokenBaselineEstimator();
  }

  /** The third and fourth token of the second response have no counterpart. */
  @Test
  void onlyTokensThatOthersHaveAreCompared() {
    TokenRewards rewards =
        TokenRewards.of(
                new double[][] {{0, 0, 1, 0, 0}, {0, 0, 0, 0, .4}},
                new int[][] {{1, 0, 1, 0, 0}, {1, 1, 0, 1, 1}})
            .withColumn(Batch.OLD_LOG_PROBS, -.5, 9, -.2, 9, 9, -.1, -2, 9, -.7, -.3)
            .withColumn(Batch.SUM_PI_SQUARED, .5, 9, .8, 9, 9, .9, .2, 9, .4, .6);
    assertArrayEquals(
        new double[] {.143653, 0, .416432, 0, 0, -.456347, -.183569, 0, .4, .4},
        estimate(rewards).advantages(),
        2e-6);
  }
}

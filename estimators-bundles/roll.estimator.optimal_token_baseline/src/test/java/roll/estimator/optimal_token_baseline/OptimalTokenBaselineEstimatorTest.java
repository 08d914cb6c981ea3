package roll.estimator.optimal_token_baseline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;
import roll.api.data.Batch;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.TokenRewards;
import roll.testkit.EstimatorContract;

/**
 * Numbers of {@code compute_optimal_token_baseline_advantage} of {@code
 * volcengine/verl@b178a3c:verl/trainer/ppo/core_algos.py#L759} in double precision.
 */
class OptimalTokenBaselineEstimatorTest extends EstimatorContract {
  @Override
  protected AdvantageEstimator estimator() {
    return new OptimalTokenBaselineEstimator();
  }

  @Test
  void longGradientsWeighMore() {
    TokenRewards rewards =
        TokenRewards.of(
                new double[][] {{0, 0, 1, 0}, {0, 0, 0, .4}},
                new int[][] {{1, 1, 1, 0}, {1, 1, 1, 1}})
            .withColumn(Batch.OLD_LOG_PROBS, -.5, -1, -.2, 0, -.1, -2, -.7, -.3)
            .withColumn(Batch.SUM_PI_SQUARED, .5, .3, .8, 0, .9, .2, .4, .6);
    assertArrayEquals(
        new double[] {.143653, .327016, .350746, 0, -.456347, -.272984, -.249254, 0},
        estimate(rewards).advantages(),
        2e-6);
  }

  @Test
  void aloneItKeepsItsReturn() {
    TokenRewards one =
        TokenRewards.of(new double[][] {{0, .7}}, new int[][] {{1, 1}})
            .withColumn(Batch.OLD_LOG_PROBS, -1, -1)
            .withColumn(Batch.SUM_PI_SQUARED, .5, .5);
    assertArrayEquals(new double[] {.7, .7}, estimate(one).advantages());
  }
}

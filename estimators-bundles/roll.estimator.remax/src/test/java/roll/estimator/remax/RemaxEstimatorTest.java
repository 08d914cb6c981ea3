package roll.estimator.remax;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import roll.api.data.Batch;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.RewardNormalization;
import roll.api.estimator.RewardNormalization.Scope;
import roll.api.estimator.TokenRewards;
import roll.api.option.UserException;
import roll.testkit.EstimatorContract;

/**
 * Numbers of {@code compute_remax_outcome_advantage} of {@code
 * volcengine/verl@b178a3c:verl/trainer/ppo/core_algos.py#L622} in double precision.
 */
class RemaxEstimatorTest extends EstimatorContract {
  @Override
  protected AdvantageEstimator estimator() {
    return new RemaxEstimator();
  }

  @Test
  void theGreedyRewardIsTheBaseline() {
    TokenRewards rewards =
        TokenRewards.of(
                new double[][] {{0, .2, 0, 1}, {0, .5, 0, 0}},
                new int[][] {{1, 1, 0, 1}, {1, 1, 0, 0}})
            .withColumn(Batch.REWARD_BASELINES, .4, .6)
            .withDiscounts(.5, 1);
    Advantages found = estimate(rewards);
    assertArrayEquals(new double[] {1.2, 1.2, 0, 1, .5, .5, 0, 0}, found.returns(), TOLERANCE);
    assertArrayEquals(new double[] {.8, .8, 0, .6, -.1, -.1, 0, 0}, found.advantages(), TOLERANCE);
  }

  @Test
  void normalisedRewardsAreRefused() {
    TokenRewards rewards =
        TokenRewards.of(new double[][] {{1}}, new int[][] {{1}})
            .withColumn(Batch.REWARD_BASELINES, 0)
            .withNormalization(new RewardNormalization("batch", Scope.BATCH, Scope.NONE, false));
    assertThrows(UserException.class, () -> estimate(rewards));
  }
}

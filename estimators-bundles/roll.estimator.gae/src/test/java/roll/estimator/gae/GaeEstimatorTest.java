package roll.estimator.gae;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;
import roll.api.data.Batch;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.TokenRewards;
import roll.testkit.EstimatorContract;

class GaeEstimatorTest extends EstimatorContract {
  @Override
  protected AdvantageEstimator estimator() {
    return new GaeEstimator();
  }

  /**
   * Numbers of {@code compute_gae_advantage_return} of {@code
   * alibaba/ROLL@8eb27cc:roll/utils/functionals.py#L502} in double precision.
   */
  @Test
  void agreesWithRoll() {
    TokenRewards rewards =
        TokenRewards.of(new double[][] {{0, 0, 1}}, new int[][] {{1, 1, 1}})
            .withColumn(Batch.VALUES, .5, .6, .7)
            .withDiscounts(1, .95);
    Advantages found = estimate(rewards);
    assertArrayEquals(new double[] {.46575, .385, .3}, found.advantages(), TOLERANCE);
    assertArrayEquals(new double[] {.96575, .985, 1}, found.returns(), TOLERANCE);
  }

  /**
   * Numbers of {@code compute_gae_advantage_return} of {@code
   * volcengine/verl@b178a3c:verl/trainer/ppo/core_algos.py#L215} in double precision.
   */
  @Test
  void agreesWithVerl() {
    TokenRewards rewards =
        TokenRewards.of(new double[][] {{0, 0, 1}, {0, 0, 0}}, new int[][] {{1, 1, 1}, {1, 1, 0}})
            .withColumn(Batch.VALUES, .2, .4, .6, .1, .3, .2);
    Advantages found = estimate(rewards);
    assertArrayEquals(new double[] {.8, .6, .4, -.1, -.3, 0}, found.advantages(), TOLERANCE);
    assertArrayEquals(new double[] {1, 1, 1, 0, 0, 0}, found.returns(), TOLERANCE);
    assertArrayEquals(
        new double[] {1.116281, .686942, .257603, -.815744, -1.245082, 0},
        whitened(rewards),
        TOLERANCE);
  }

  /** Tokens of the environment between two turns are skipped and not discounted. */
  @Test
  void observationsAreSkipped() {
    TokenRewards rewards =
        TokenRewards.of(
                new double[][] {{0, 0, 0, 0, 0, 1}, {0, 0, .5}},
                new int[][] {{1, 1, 0, 0, 1, 1}, {1, 1, 1}})
            .withColumn(Batch.VALUES, .1, .2, 5, -7, .4, .5, .3, .1, .2)
            .withDiscounts(.9, .8);
    assertArrayEquals(
        new double[] {.407744, .4552, 0, 0, .41, .5, .00312, .296, .3},
        estimate(rewards).advantages(),
        TOLERANCE);
    assertArrayEquals(
        new double[] {.414877, .700722, 0, 0, .428465, .970569, -2.022327, -.258200, -.234106},
        whitened(rewards),
        TOLERANCE);
  }

  /** With γ = λ = 1 returns are the rewards to go, whatever the critic says. */
  @Test
  void returnsWithoutDiscountAreTheRewardsToGo() {
    TokenRewards rewards =
        TokenRewards.of(new double[][] {{1, 2, 0, 4}}, new int[][] {{1, 1, 0, 1}})
            .withColumn(Batch.VALUES, 9, -3, 5, .5);
    assertArrayEquals(new double[] {7, 6, 0, 4}, estimate(rewards).returns(), 1e-12);
  }
}

package roll.estimator.gigpo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.data.Batch;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.RewardNormalization;
import roll.api.estimator.RewardNormalization.Scope;
import roll.api.estimator.TokenRewards;
import roll.testkit.EstimatorContract;

class GigpoEstimatorTest extends EstimatorContract {
  @Override
  protected AdvantageEstimator estimator() {
    return new GigpoEstimator();
  }

  @Override
  protected Set<Law> laws() {
    return Set.of(Law.SCALE_FREE);
  }

  private static final double EPISODE = .707106;
  private static final RewardNormalization MEAN =
      new RewardNormalization("traj_group_id", Scope.GROUP, Scope.NONE, false);

  /** A group of two episodes, [1, 0]; in state 0 the step returns are .95 and 0. */
  private static final TokenRewards TWO =
      TokenRewards.of(
              new double[][] {{0, 0, 1}, {0, 0, 0, 0}}, new int[][] {{1, 0, 1}, {1, 0, 1, 1}})
          .withColumn(Batch.STATES, 0, 0, 1, 0, 0, 2, 2);

  /** ±.707106 of the episode; as much of the first turns; the second ones are alone. */
  @Test
  void addsTheEpisodeAndTheTurn() {
    assertArrayEquals(
        new double[] {2 * EPISODE, 0, EPISODE, -2 * EPISODE, 0, -EPISODE, -EPISODE},
        estimate(TWO).advantages(),
        TOLERANCE);
    assertArrayEquals(
        new double[] {EPISODE / 2, 0, EPISODE / 2, -EPISODE / 2, 0, -EPISODE / 2, -EPISODE / 2},
        estimate(TWO, Map.of("step_reward_weight", 0, "episode_reward_weight", .5)).advantages(),
        TOLERANCE);
  }

  @Test
  void itsPartsAreKnown() {
    var parts = estimate(TWO).parts();
    assertArrayEquals(
        new double[] {EPISODE, -EPISODE}, parts.get("episode_rewards_norm"), TOLERANCE);
    assertArrayEquals(
        new double[] {EPISODE, 0, -EPISODE, 0}, parts.get("step_rewards_norm"), TOLERANCE);
  }

  @Test
  void theConfiguredNormalizationCounts() {
    double[] expected = {.5 + .25, 0, .5, -.5 - .25, 0, -.5, -.5};
    assertArrayEquals(
        expected,
        estimate(TWO.withNormalization(MEAN), Map.of("step_reward_gamma", .5)).advantages(),
        TOLERANCE);
  }

  /** The state is the same, the start of the episode is not: nothing to compare with. */
  @Test
  void equalStatesOfDifferentGroupsStayApart() {
    assertArrayEquals(new double[7], estimate(TWO.withGroups(0, 1)).advantages());
  }

  /**
   * Samples are steps, and each counts once, as in {@code compute_response_level_rewards} of {@code
   * alibaba/ROLL@8eb27cc:roll/pipeline/agentic/utils.py#L180}.
   */
  @Test
  void stepsMayBeSamples() {
    TokenRewards steps =
        TokenRewards.of(
                new double[][] {{.25}, {.75}, {0}, {0}, {0}}, new int[][] {{1}, {1}, {1}, {1}, {1}})
            .withColumn(Batch.TRAJECTORIES, 0, 0, 1, 1, 1)
            .withColumn(Batch.STEPS, 0, 1, 0, 1, 2)
            .withColumn(Batch.STATES, 0, 1, 2, 3, 4);
    assertArrayEquals(
        new double[] {1.095443, 1.095443, -.730295, -.730295, -.730295},
        estimate(steps).advantages(),
        TOLERANCE);
  }
}

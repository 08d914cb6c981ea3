package roll.estimator.grpo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.RewardNormalization;
import roll.api.estimator.RewardNormalization.Scope;
import roll.api.estimator.TokenRewards;
import roll.testkit.EstimatorContract;

/**
 * Numbers of {@code compute_grpo_outcome_advantage} of {@code
 * volcengine/verl@b178a3c:verl/trainer/ppo/core_algos.py#L267} in double precision.
 */
class GrpoEstimatorTest extends EstimatorContract {
  @Override
  protected AdvantageEstimator estimator() {
    return new GrpoEstimator();
  }

  @Override
  protected Set<Law> laws() {
    return Set.of(Law.SHIFT, Law.SCALE_FREE, Law.SUM_ZERO);
  }

  private static final RewardNormalization RELATIVE =
      new RewardNormalization("traj_group_id", Scope.GROUP, Scope.GROUP, false);
  private static final int[][] MASK = {{0, 1, 0, 1}, {0, 1, 1}};

  @Test
  void outcomesAreRelativeToTheirGroup() {
    assertArrayEquals(
        new double[] {.866024, -.866024, -.866024, .866024}, outcomes(1, 0, 0, 1), TOLERANCE);
    assertArrayEquals(
        new double[] {.643793, -.500728, 1.216053, -1.072988, .071533, -1.645248, .929923, .357663},
        outcomes(.8, .6, .9, .5, .7, .4, .85, .75),
        TOLERANCE);
    assertArrayEquals(new double[] {-.705112, .705112}, outcomes(.5, .5005), TOLERANCE);
    assertArrayEquals(
        new double[] {1.059624, -1.120892, -.927171, .800637, -.132453, .320255},
        estimate(rows(1, .2, 0, .6, .4, .5).withGroups(0, 1, 0, 1, 0, 1)).advantages(),
        TOLERANCE);
  }

  @Test
  void equalOutcomesAreZeroAndASingleOneStays() {
    assertArrayEquals(new double[3], outcomes(.1, .1, .1));
    assertArrayEquals(new double[] {.699999}, outcomes(.7), TOLERANCE);
  }

  /** The ε of TRL and of OpenRLHF. */
  @Test
  void epsilonIsAnOption() {
    TokenRewards four = rows(1, 0, 0, 1);
    assertArrayEquals(
        new double[] {.865875, -.865875, -.865875, .865875},
        estimate(four, Map.of("epsilon", 1e-4)).advantages(),
        TOLERANCE);
    assertArrayEquals(
        new double[] {.866025, -.866025, -.866025, .866025},
        estimate(four, Map.of("epsilon", 1e-9)).advantages(),
        TOLERANCE);
  }

  @Test
  void withoutDeviationItIsDrGrpo() {
    assertArrayEquals(
        new double[] {.5, -.5, -.5, .5},
        estimate(rows(1, 0, 0, 1), Map.of("norm_adv_by_std_in_grpo", false)).advantages(),
        TOLERANCE);
  }

  /** With β = .1 of the KL in the reward the outcomes are .98 and .01. */
  @Test
  void penaltiesByTokenBelongToTheOutcome() {
    TokenRewards rewards =
        TokenRewards.of(
            new double[][] {{.01, -.03, 1, 0}, {-.02, 0, .03, 0}},
            new int[][] {{1, 1, 1, 0}, {1, 0, 1, 1}});
    double a = .707106;
    assertArrayEquals(
        new double[] {a, a, a, 0, -a, 0, -a, -a}, estimate(rewards).advantages(), TOLERANCE);
  }

  /** ROLL's way: reward_normalization made the rewards relative, so they are the advantage. */
  @Test
  void relativeRewardsStayAsTheyAre() {
    TokenRewards rewards =
        TokenRewards.of(new double[][] {{0, -.25, 0, 1}, {0, .5, -.125}}, MASK)
            .withNormalization(RELATIVE);
    assertArrayEquals(new double[] {0, .75, 0, .75, 0, .375, .375}, estimate(rewards).advantages());
  }

  @Test
  void theDiscountCountsTokensOfThePolicy() {
    TokenRewards rewards =
        TokenRewards.of(new double[][] {{0, 0, 0, 1}, {0, 0, -2}}, MASK)
            .withNormalization(RELATIVE)
            .withDiscounts(.9, 1);
    assertArrayEquals(
        new double[] {0, .9, 0, 1, 0, -1.8, -2}, estimate(rewards).advantages(), 1e-15);
  }

  private double[] outcomes(double... outcomes) {
    return estimate(rows(outcomes)).advantages();
  }

  private static TokenRewards rows(double... outcomes) {
    double[][] rows =
        Arrays.stream(outcomes).mapToObj(s -> new double[] {s}).toArray(double[][]::new);
    int[][] mask = Arrays.stream(outcomes).mapToObj(s -> new int[] {1}).toArray(int[][]::new);
    return TokenRewards.of(rows, mask);
  }
}

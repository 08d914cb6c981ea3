package roll.math;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;
import roll.api.estimator.RewardNormalization;
import roll.api.estimator.RewardNormalization.Scope;

/**
 * Numbers of {@code agentic_reward_norm} of {@code
 * alibaba/ROLL@8eb27cc:roll/pipeline/agentic/utils.py#L100} and, for groups of several, {@code
 * compute_grpo_outcome_advantage} of {@code
 * volcengine/verl@b178a3c:verl/trainer/ppo/core_algos.py#L267} in double precision.
 */
class RewardNormalizerTest {
  private static final RewardNormalization MEAN_STD = how(Scope.GROUP, Scope.GROUP);

  @Test
  void dividesByTheUnbiasedDeviation() {
    assertNormalized(new double[] {1, 0, 0, 1}, MEAN_STD, .866024, -.866024, -.866024, .866024);
    assertNormalized(
        new double[] {.8, .6, .9, .5, .7, .4, .85, .75},
        MEAN_STD,
        .643793,
        -.500728,
        1.216053,
        -1.072988,
        .071533,
        -1.645248,
        .929923,
        .357663);
    assertNormalized(
        new double[] {1, 1, 0, 0, 0}, MEAN_STD, 1.095443, 1.095443, -.730295, -.730295, -.730295);
  }

  @Test
  void equalNumbersAndSingleOnesBecomeZero() {
    assertNormalized(new double[] {1, 1, 1, 1}, MEAN_STD, 0, 0, 0, 0);
    assertNormalized(new double[] {.1, .1, .1}, MEAN_STD, 0, 0, 0);
    assertNormalized(new double[] {7}, MEAN_STD, 0);
    assertNormalized(new double[] {7}, how(Scope.GROUP, Scope.NONE), 0);
    assertNormalized(new double[0], MEAN_STD);
  }

  @Test
  void withoutDeviationOnlyTheMeanIsTaken() {
    assertNormalized(
        new double[] {1, 0, 0, 0}, how(Scope.GROUP, Scope.NONE), .75, -.25, -.25, -.25);
    assertNormalized(new double[] {3, -1}, RewardNormalization.IDENTITY, 3, -1);
  }

  @Test
  void interleavedGroupsStayApart() {
    int[] groups = {0, 1, 0, 1, 0, 1};
    double[] x = {1, .2, 0, .6, .4, .5};
    assertArrayEquals(
        new double[] {1.059624, -1.120892, -.927171, .800637, -.132453, .320255},
        RewardNormalizer.normalize(x, groups, MEAN_STD),
        2e-6);
  }

  /**
   * Group means 2 and 5; the deviation of [1, 3, 5] is 2; the single one becomes 0 all the same.
   */
  @Test
  void scopesMayBeMixed() {
    assertArrayEquals(
        new double[] {-.5, .5, 0},
        RewardNormalizer.normalize(
            new double[] {1, 3, 5}, new int[] {0, 0, 1}, how(Scope.GROUP, Scope.BATCH)),
        1e-6);
    assertArrayEquals(
        new double[] {-2, 0, 2},
        RewardNormalizer.normalize(
            new double[] {1, 3, 5}, new int[] {0, 0, 1}, how(Scope.BATCH, Scope.NONE)));
  }

  /** One of ten: 2.846 and nine times −.316; ninety-nine zeros give 9.95, which is cut to 3. */
  @Test
  void asymClipBoundsGoodMoreLooselyThanBad() {
    RewardNormalization how = new RewardNormalization("batch", Scope.BATCH, Scope.BATCH, true);
    double[] rare = new double[100];
    rare[0] = 1;
    double[] found = RewardNormalizer.normalize(rare, new int[100], how);
    assertArrayEquals(new double[] {3, -.1}, new double[] {found[0], found[1]}, 1e-4);
    rare[0] = -1;
    assertArrayEquals(
        new double[] {-1}, new double[] {RewardNormalizer.normalize(rare, new int[100], how)[0]});
  }

  private static RewardNormalization how(Scope mean, Scope std) {
    return new RewardNormalization("traj_group_id", mean, std, false);
  }

  private static void assertNormalized(
      double[] rewards, RewardNormalization how, double... expected) {
    assertArrayEquals(
        expected, RewardNormalizer.normalize(rewards, new int[rewards.length], how), 2e-6);
  }
}

package roll.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import roll.api.config.RewardNormalization;
import roll.api.config.RewardNormalization.Scope;

/** Numbers of reference/roll.md Appendix A and reference/verl_agentfly.md §12. */
class RewardNormalizerTest {
  private static final RewardNormalization MEAN_STD =
      new RewardNormalization("traj_group_id", Scope.GROUP, Scope.GROUP);

  @Test
  void divides_by_the_unbiased_standard_deviation() {
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
  }

  @Test
  void gives_zero_to_equal_rewards_and_to_singletons() {
    assertNormalized(new double[] {1, 1, 1, 1}, MEAN_STD, 0, 0, 0, 0);
    assertNormalized(new double[] {7}, MEAN_STD, 0);
  }

  @Test
  void subtracts_the_mean_alone_without_std() {
    assertNormalized(
        new double[] {1, 0, 0, 0},
        new RewardNormalization("traj_group_id", Scope.GROUP, Scope.NONE),
        .75,
        -.25,
        -.25,
        -.25);
  }

  @Test
  void leaves_rewards_alone_as_identity() {
    assertNormalized(
        new double[] {3, -1}, new RewardNormalization("batch", Scope.NONE, Scope.NONE), 3, -1);
  }

  @Test
  void keeps_interleaved_groups_apart() {
    double[] found =
        RewardNormalizer.normalize(
            new double[] {1, .2, 0, .6, .4, .5}, List.of("a", "b", "a", "b", "a", "b"), MEAN_STD);
    assertArrayEquals(
        new double[] {1.059624, -1.120892, -.927171, .800637, -.132453, .320255}, found, 2e-6);
  }

  private static void assertNormalized(
      double[] rewards, RewardNormalization how, double... expected) {
    List<String> oneGroup = Collections.nCopies(rewards.length, "g");
    assertArrayEquals(expected, RewardNormalizer.normalize(rewards, oneGroup, how), 2e-6);
  }
}

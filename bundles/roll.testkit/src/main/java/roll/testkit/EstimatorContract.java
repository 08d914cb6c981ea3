package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import roll.api.data.RandomStreams;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.TokenRewards;

/**
 * What every {@link AdvantageEstimator} must keep. A plugin's test extends this class, says how to
 * make the estimator, and inherits the tests.
 */
public abstract class EstimatorContract {
  private static final int SAMPLES = 8;
  private static final double[] GAMMAS = {1, 0.9};

  /** A new instance of the estimator under test. */
  protected abstract AdvantageEstimator estimator();

  /** Whether the estimator needs a critic's values; without them it is given null. */
  protected boolean needsValues() {
    return false;
  }

  /** One advantage and one return a cell, 0 outside the mask, every number finite. */
  @Test
  void givesOneCellPerToken() {
    for (double gamma : GAMMAS) {
      TokenRewards rewards = rewards(gamma);
      check(rewards, estimator().estimate(rewards));
    }
  }

  /** The same input gives the same result, to the last bit, and is not written. */
  @Test
  void isAFunctionOfItsInput() {
    for (double gamma : GAMMAS) {
      TokenRewards rewards = rewards(gamma);
      AdvantageEstimator estimator = estimator();
      Advantages first = estimator.estimate(rewards);
      Advantages second = estimator.estimate(rewards);
      assertArrayEquals(first.advantages(), second.advantages());
      assertArrayEquals(first.returns(), second.returns());
      TokenRewards fresh = rewards(gamma);
      assertArrayEquals(fresh.rewards(), rewards.rewards(), "the rewards were written");
      assertArrayEquals(fresh.values(), rewards.values(), "the values were written");
    }
  }

  /** Cells the policy did not write change nothing, however many and whatever is in them. */
  @Test
  void unwrittenCellsNeverMatter() {
    for (double gamma : GAMMAS) {
      TokenRewards rewards = rewards(gamma);
      Cells cells = cells();
      Cells more = cells.withInsertions(stream("insertions"));
      double[] values = rewards.values();
      TokenRewards changed =
          new TokenRewards(
              more.offsets(),
              more.outsideMask(more.take(rewards.rewards(), () -> 0), () -> Double.NaN),
              more.turns(),
              more.mask(),
              values == null
                  ? null
                  : more.outsideMask(more.take(values, () -> 0), () -> Double.NaN),
              rewards.groups(),
              gamma,
              rewards.lambda());
      Advantages before = estimator().estimate(rewards);
      Advantages after = estimator().estimate(changed);
      check(changed, after);
      assertArrayEquals(
          more.take(before.advantages(), () -> 0), after.advantages(), 1e-12, "advantages");
      assertArrayEquals(more.take(before.returns(), () -> 0), after.returns(), 1e-12, "returns");
    }
  }

  /** The order of the samples does not matter. */
  @Test
  void samplesMayStandInAnyOrder() {
    int[] order = {3, 0, 7, 5, 1, 6, 2, 4};
    for (double gamma : GAMMAS) {
      TokenRewards rewards = rewards(gamma);
      Cells moved = cells().select(order);
      double[] values = rewards.values();
      TokenRewards changed =
          new TokenRewards(
              moved.offsets(),
              moved.take(rewards.rewards(), () -> 0),
              moved.turns(),
              moved.mask(),
              values == null ? null : moved.take(values, () -> 0),
              Arrays.stream(order).map(i -> rewards.groups()[i]).toArray(),
              gamma,
              rewards.lambda());
      Advantages before = estimator().estimate(rewards);
      Advantages after = estimator().estimate(changed);
      assertArrayEquals(moved.take(before.advantages(), () -> 0), after.advantages(), 1e-9);
      assertArrayEquals(moved.take(before.returns(), () -> 0), after.returns(), 1e-9);
    }
  }

  /** Groups of one, groups of equals and batches without any reward give finite numbers. */
  @Test
  void degenerateGroupsGiveNumbers() {
    Cells cells = cells();
    int[] alone = {0, 1, 2, 3, 4, 5, 6, 7};
    int[] together = new int[SAMPLES];
    for (int[] groups : new int[][] {alone, together}) {
      for (double reward : new double[] {0, 0.1}) {
        double[] equal = cells.outsideMask(cells.column(() -> reward), () -> 0);
        TokenRewards rewards = rewards(cells, equal, groups, 1);
        check(rewards, estimator().estimate(rewards));
      }
    }
  }

  /** Samples without a response, without any token, and batches without samples are allowed. */
  @Test
  void emptyResponsesAreAllowed() {
    Cells mute = cells().withoutMask(2);
    double[] random = mute.column(stream("rewards")::nextGaussian);
    TokenRewards rewards = rewards(mute, mute.outsideMask(random, () -> 0), groups(SAMPLES), 0.9);
    check(rewards, estimator().estimate(rewards));
    Cells missing = Cells.of(new int[] {0, 0, 2, 2}, new int[] {-1, 0});
    TokenRewards one = rewards(missing, new double[] {0, 1}, groups(3), 0.9);
    check(one, estimator().estimate(one));
    Cells none = Cells.of(new int[] {0}, new int[0]);
    TokenRewards nothing = rewards(none, new double[0], groups(0), 0.9);
    check(nothing, estimator().estimate(nothing));
  }

  private static Cells cells() {
    return Cells.random(stream("cells"), SAMPLES);
  }

  private TokenRewards rewards(double gamma) {
    Cells cells = cells();
    double[] random = cells.column(stream("rewards")::nextGaussian);
    return rewards(cells, cells.outsideMask(random, () -> 0), groups(SAMPLES), gamma);
  }

  private TokenRewards rewards(Cells cells, double[] rewards, int[] groups, double gamma) {
    return new TokenRewards(
        cells.offsets(),
        rewards,
        cells.turns(),
        cells.mask(),
        needsValues() ? cells.column(stream("values")::nextGaussian) : null,
        groups,
        gamma,
        0.95);
  }

  /** Groups of two, in order. */
  private static int[] groups(int samples) {
    int[] groups = new int[samples];
    Arrays.setAll(groups, i -> i / 2);
    return groups;
  }

  private static RandomGenerator stream(String purpose) {
    return RandomStreams.of(42, "roll.testkit/" + purpose);
  }

  private static void check(TokenRewards rewards, Advantages result) {
    int cells = rewards.mask().length;
    assertEquals(cells, result.advantages().length, "number of advantages");
    assertEquals(cells, result.returns().length, "number of returns");
    for (int t = 0; t < cells; t++) {
      for (double number : new double[] {result.advantages()[t], result.returns()[t]}) {
        assertTrue(Double.isFinite(number), "cell " + t + " is " + number);
        assertTrue(
            rewards.mask()[t] || number == 0, "cell " + t + " was not written by the policy");
      }
    }
  }
}

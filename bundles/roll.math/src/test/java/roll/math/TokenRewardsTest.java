package roll.math;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import roll.api.data.Batch;
import roll.api.estimator.TokenRewards;

class TokenRewardsTest {
  private static final TokenRewards TWO =
      TokenRewards.of(
          new double[][] {{1, 9, 2}, {3, 4, 9, 5}}, new int[][] {{1, 0, 1}, {1, 1, 0, 1}});

  @Test
  void rowsBecomeCells() {
    assertArrayEquals(new int[] {0, 3, 7}, TWO.layout().offsets());
    assertArrayEquals(new int[] {0, -1, 1, 0, 0, -1, 1}, TWO.layout().turns());
    assertArrayEquals(new int[] {0, 0}, TWO.groups());
    assertEquals(0, TokenRewards.of(new double[0][], new int[0][]).samples());
  }

  @Test
  void unwrittenTokensDoNotCount() {
    assertArrayEquals(new double[] {3, 12}, TWO.outcomes());
    assertArrayEquals(new int[] {2, 3}, TWO.layout().countBySample());
    assertArrayEquals(new double[] {7, 0, 7, 8, 8, 0, 8}, TWO.spread(new double[] {7, 8}));
    assertArrayEquals(new double[] {2, 0, 2, 6.25, 6.5, 0, 5}, TWO.rewardsToGo(.5));
  }

  @Test
  void turnsOfATrajectoryFollowEachOther() {
    BatchTurns turns = BatchTurns.of(TWO);
    assertArrayEquals(new int[] {0, 0, 1, 1}, turns.samples());
    assertArrayEquals(new double[] {1, 2, 7, 5}, turns.rewards());
    assertArrayEquals(new double[] {2, 2, 9.5, 5}, turns.rewardsToGo(.5));
    assertArrayEquals(new double[] {3, 12}, turns.outcomes());
    int[] cells = {10, 11, 12, 13, 14, 15, 16};
    assertArrayEquals(new int[] {10, 12, 13, 16}, turns.take(cells));
    assertArrayEquals(new double[] {1, 0, 2, 3, 3, 0, 4}, turns.spread(new double[] {1, 2, 3, 4}));
  }

  /** Step rewards −.1, −.25, 10.9 of one trajectory, a sample a step, in any order. */
  @Test
  void stepsOfATrajectoryMayBeSamples() {
    TokenRewards steps =
        TokenRewards.of(
                new double[][] {{10.9}, {5}, {-.1}, {-.25}}, new int[][] {{1}, {1}, {1}, {1}})
            .withColumn(Batch.TRAJECTORIES, 0, 1, 0, 0)
            .withColumn(Batch.STEPS, 2, 0, 0, 1);
    BatchTurns turns = BatchTurns.of(steps);
    assertArrayEquals(new double[] {10.9, 5, 9.49975, 10.105}, turns.rewardsToGo(.95), 2e-6);
    assertArrayEquals(new double[] {10.55, 5, 10.55, 10.55}, turns.outcomes(), 1e-12);
  }

  @Test
  void aMissingColumnIsAnError() {
    assertThrows(NullPointerException.class, () -> TWO.column(Batch.VALUES));
  }
}

package roll.batching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.data.Batch;
import roll.api.data.ColumnKey;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;

class NonFiniteCheckTest {
  private static final ColumnKey<double[]> A = ColumnKey.ofTokens("a");
  private static final ColumnKey<double[]> B = ColumnKey.ofTokens("b");
  private static final double NAN = Double.NaN;
  private static final Batch BATCH =
      Batch.of(new int[] {0, 3, 5}, new int[] {5, 6, 7, 5, 9}, new int[] {-1, 0, 0, -1, 0});

  @Test
  void namesTheFirstTokenOfTheFirstColumn() {
    Batch batch =
        BATCH
            .withColumn(A, new double[] {NAN, 1, 2, NAN, 3})
            .withColumn(B, new double[] {0, 1, 2, 3, Double.POSITIVE_INFINITY});
    assertNull(NonFiniteCheck.problem(batch, A, Batch.RETURNS));
    assertEquals(
        "b of trajectory number 1 at token 1 (id 9) is Infinity",
        NonFiniteCheck.problem(batch, A, B));
    assertEquals(
        "b of trajectory second at token 1 (id 9) is Infinity",
        NonFiniteCheck.problem(
            batch.withColumn(Batch.TRAJECTORY_IDS, List.of("first", "second")), A, B));
  }

  @Test
  void tokensThatAreNotKeptAreNotLookedAt() {
    Batch batch = BATCH.withColumn(A, new double[] {0, 1, NAN, 0, 3});
    assertEquals(
        "a of trajectory number 0 at token 2 (id 7) is NaN", NonFiniteCheck.problem(batch, A));
    assertNull(
        NonFiniteCheck.problem(batch.keeping(new boolean[] {true, true, false, true, true}), A));
  }

  @Test
  void namesTheTurnOfAReward() {
    assertNull(NonFiniteCheck.problem(trajectory(1, 2)));
    assertEquals(
        "the reward of trajectory Lake_1_2_9_3 in turn 1, up to token 5, is NaN",
        NonFiniteCheck.problem(trajectory(1, NAN)));
  }

  private static Trajectory trajectory(double... rewards) {
    return new Trajectory(
        new TrajectoryKey("Lake", 1, 2, 3, 9),
        List.of(
            new Sequence(new int[6], new int[] {-1, 0, 0, -1, 1, 1}, new double[6], new long[6])),
        rewards,
        new long[2],
        List.of(),
        Map.of(),
        "done");
  }
}

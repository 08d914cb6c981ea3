package roll.batching;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.data.Batch;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;

/** Trajectories become samples. */
class TrajectoryBatchTest {
  @Test
  void trajectoriesBecomeSamples() {
    Batch batch =
        TrajectoryBatch.of(
            List.of(
                trajectory(0, new int[] {1, 2}, new int[] {-1, 0}, 0.5, 0.25),
                trajectory(1, new int[] {3}, new int[] {0}, -1)));
    assertArrayEquals(new int[] {0, 2, 3}, batch.layout().offsets());
    assertArrayEquals(new int[] {1, 2, 3}, batch.tokens());
    assertArrayEquals(new boolean[] {false, true, true}, batch.layout().mask());
    assertArrayEquals(new double[] {-0.5, -1, -0.5}, batch.column(Batch.BEHAVIOR_LOG_PROBS));
    assertArrayEquals(new double[] {0.75, -1}, batch.column(Batch.SCORES));
    assertEquals(List.of("Lake", "Lake"), batch.column(Batch.TAGS));
    assertEquals(List.of("Lake_3_7_99", "Lake_3_7_99"), batch.column(Batch.GROUP_IDS));
    assertEquals(List.of("Lake_3_7_99_0", "Lake_3_7_99_1"), batch.column(Batch.TRAJECTORY_IDS));
    assertEquals(0, TrajectoryBatch.of(List.of()).samples());
  }

  /** The second turn wrote nothing: its reward goes to the first. States are of groups. */
  @Test
  void turnsHaveRewardsAndStates() {
    List<Trajectory> trajectories =
        List.of(
            trajectory(0, new int[] {1, 2, 3, 4}, new int[] {-1, 0, 0, 2}, 0.5, 0.25, -2),
            trajectory(1, new int[] {3, 4}, new int[] {0, -1}, 1));
    Batch batch = TrajectoryBatch.withTurns(TrajectoryBatch.of(trajectories), trajectories);
    assertArrayEquals(new double[] {0, 0, 0.75, -2, 1, 0}, batch.column(Batch.TURN_REWARDS));
    int[] states = batch.column(Batch.STATES);
    assertEquals(states[1], states[2]);
    assertEquals(states[1], states[4]);
    assertNotEquals(states[1], states[3]);
  }

  private static Trajectory trajectory(int member, int[] tokens, int[] turns, double... rewards) {
    double[] logProbs = new double[tokens.length];
    for (int t = 0; t < tokens.length; t++) {
      logProbs[t] = -0.5 * (t + 1);
    }
    return new Trajectory(
        new TrajectoryKey("Lake", 3, 7, member, 99),
        List.of(new Sequence(tokens, turns, logProbs, new long[tokens.length])),
        rewards,
        Arrays.stream(rewards).mapToLong(r -> r > 0 ? 7 : 8).toArray(),
        List.of(),
        Map.of(),
        "max_steps");
  }
}

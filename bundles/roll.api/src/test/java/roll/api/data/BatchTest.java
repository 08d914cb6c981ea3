package roll.api.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BatchTest {
  private static final Batch BATCH =
      Batch.of(new int[] {0, 3, 3, 5}, new int[] {10, 11, 12, 20, 21}, new int[] {-1, 0, 1, -1, 0})
          .withTokens(Batch.ADVANTAGES, new double[] {0, 1, 2, 0, 3})
          .withSamples(Batch.SCORES, new double[] {1, 0, -1})
          .withLabels(Batch.TAGS, List.of("a", "b", "c"));

  @Test
  void theMaskIsWhatThePolicyWrote() {
    assertArrayEquals(new boolean[] {false, true, true, false, true}, BATCH.mask());
    assertEquals(3, BATCH.samples());
    assertEquals(5, BATCH.size());
  }

  @Test
  void selectsSamplesInAnyOrderAndTwice() {
    Batch chosen = BATCH.select(new int[] {2, 0, 1, 2});
    assertArrayEquals(new int[] {0, 2, 5, 5, 7}, chosen.offsets());
    assertArrayEquals(new int[] {20, 21, 10, 11, 12, 20, 21}, chosen.tokens());
    assertArrayEquals(new int[] {-1, 0, -1, 0, 1, -1, 0}, chosen.turns());
    assertArrayEquals(new boolean[] {false, true, false, true, true, false, true}, chosen.mask());
    assertArrayEquals(new double[] {0, 3, 0, 1, 2, 0, 3}, chosen.tokenColumn(Batch.ADVANTAGES));
    assertArrayEquals(new double[] {-1, 1, 0, -1}, chosen.sampleColumn(Batch.SCORES));
    assertEquals(List.of("c", "a", "b", "c"), chosen.labels(Batch.TAGS));
    assertEquals(0, BATCH.select(new int[0]).size());
  }

  @Test
  void aNewColumnLeavesTheOldBatchAlone() {
    Batch more = BATCH.withTokens(Batch.RETURNS, new double[] {5, 4, 3, 2, 1});
    assertTrue(more.hasTokens(Batch.RETURNS));
    assertFalse(BATCH.hasTokens(Batch.RETURNS));
    assertNull(BATCH.tokenColumnOrNull(Batch.RETURNS));
    assertArrayEquals(BATCH.tokenColumn(Batch.ADVANTAGES), more.tokenColumn(Batch.ADVANTAGES));
    Batch replaced = BATCH.withSamples(Batch.SCORES, new double[] {7, 8, 9});
    assertArrayEquals(new double[] {7, 8, 9}, replaced.sampleColumn(Batch.SCORES));
    assertArrayEquals(new double[] {1, 0, -1}, BATCH.sampleColumn(Batch.SCORES));
  }

  @Test
  void columnsMustFit() {
    assertThrows(IllegalArgumentException.class, () -> BATCH.withTokens("short", new double[4]));
    assertThrows(IllegalArgumentException.class, () -> BATCH.withSamples("long", new double[4]));
    assertThrows(IllegalArgumentException.class, () -> BATCH.withLabels("none", List.of()));
    assertThrows(
        IllegalArgumentException.class, () -> Batch.of(new int[] {0, 2}, new int[3], new int[3]));
    assertThrows(
        IllegalArgumentException.class, () -> Batch.of(new int[] {0, 3}, new int[3], new int[2]));
    assertThrows(NullPointerException.class, () -> BATCH.tokenColumn("unknown"));
    assertThrows(NullPointerException.class, () -> BATCH.sampleColumn("unknown"));
    assertThrows(NullPointerException.class, () -> BATCH.labels("unknown"));
  }

  @Test
  void trajectoriesBecomeSamples() {
    Batch batch =
        Batch.ofTrajectories(
            List.of(
                trajectory(0, new int[] {1, 2}, new int[] {-1, 0}, 0.5, 0.25),
                trajectory(1, new int[] {3}, new int[] {0}, -1)));
    assertArrayEquals(new int[] {0, 2, 3}, batch.offsets());
    assertArrayEquals(new int[] {1, 2, 3}, batch.tokens());
    assertArrayEquals(new boolean[] {false, true, true}, batch.mask());
    assertArrayEquals(new double[] {-0.5, -1, -0.5}, batch.tokenColumn(Batch.BEHAVIOUR_LOG_PROBS));
    assertArrayEquals(new double[] {0.75, -1}, batch.sampleColumn(Batch.SCORES));
    assertEquals(List.of("Lake", "Lake"), batch.labels(Batch.TAGS));
    assertEquals(List.of("Lake_3_7_99", "Lake_3_7_99"), batch.labels(Batch.GROUP_IDS));
    assertEquals(List.of("Lake_3_7_99_0", "Lake_3_7_99_1"), batch.labels(Batch.TRAJECTORY_IDS));
    assertEquals(0, Batch.ofTrajectories(List.of()).samples());
  }

  /** The second turn wrote nothing: its reward goes to the first. States are of groups. */
  @Test
  void turnsHaveRewardsAndStates() {
    List<Trajectory> trajectories =
        List.of(
            trajectory(0, new int[] {1, 2, 3, 4}, new int[] {-1, 0, 0, 2}, 0.5, 0.25, -2),
            trajectory(1, new int[] {3, 4}, new int[] {0, -1}, 1));
    Batch batch = Batch.ofTrajectories(trajectories).withTurns(trajectories);
    assertArrayEquals(new double[] {0, 0, 0.75, -2, 1, 0}, batch.tokenColumn(Batch.TURN_REWARDS));
    double[] states = batch.tokenColumn(Batch.STATES);
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
        "Lake",
        3,
        7,
        member,
        99,
        List.of(new Sequence(tokens, turns, logProbs, new long[tokens.length])),
        rewards,
        Arrays.stream(rewards).mapToLong(r -> r > 0 ? 7 : 8).toArray(),
        List.of(),
        Map.of(),
        "max_steps");
  }
}

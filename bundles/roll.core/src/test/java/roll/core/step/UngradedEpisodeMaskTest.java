package roll.core.step;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.data.Batch;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.batching.TrajectoryBatch;

/** An episode that was graded and one of two turns that was not. */
class UngradedEpisodeMaskTest {
  private static final Trajectory GRADED = played(0, Map.of("reward/own", 0.0), -1, 0);
  private static final Trajectory UNGRADED =
      played(1, Map.of(Trajectory.UNGRADED, 1.0), -1, 0, -1, 1);

  private static Trajectory played(int member, Map<String, Double> metrics, int... turns) {
    int n = turns.length;
    return new Trajectory(
        new TrajectoryKey("A", 0, 0, member, 0),
        List.of(new Sequence(new int[n], turns, new double[n], new long[n])),
        new double[turns[n - 1] + 1],
        new long[turns[n - 1] + 1],
        List.of(),
        metrics,
        "max_steps");
  }

  @Test
  void noneOfTheirTokensIsTrainedOn() {
    List<Trajectory> played = List.of(GRADED, UNGRADED);
    Batch batch = TrajectoryBatch.of(played);
    assertArrayEquals(
        new boolean[] {false, true, false, false, false, false},
        UngradedEpisodeMask.masked(batch, played).layout().mask());
  }

  @Test
  void whereAllWereGradedNothingChanges() {
    Batch batch = TrajectoryBatch.of(List.of(GRADED));
    assertSame(batch, UngradedEpisodeMask.masked(batch, List.of(GRADED)));
  }
}

package roll.core.step;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.data.Batch;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.batching.TrajectoryBatch;

/** An episode of two turns, the second of which was cut, and one of a turn that was not. */
class TruncatedResponseMaskTest {
  private static final List<Trajectory> PLAYED =
      List.of(played(0, -1, 0, 0, -1, 1, 1).withCut(List.of(1)), played(1, -1, 0));

  private static Trajectory played(int member, int... turns) {
    int n = turns.length;
    return new Trajectory(
        new TrajectoryKey("A", 0, 0, member, 0),
        List.of(new Sequence(new int[n], turns, new double[n], new long[n])),
        new double[turns[n - 1] + 1],
        new long[turns[n - 1] + 1],
        List.of(),
        Map.of(),
        "max_steps");
  }

  private static Map<String, EnvConfig> environments(EnvLimits.CutResponses cut) {
    return Map.of(
        "A",
        new EnvConfig(
            "A",
            "game",
            "trajectory",
            new EnvLimits(2, 2, 0, cut),
            PromptConfig.of("{observation}"),
            Map.of()));
  }

  @Test
  void theTokensOfACutResponseAreLeftOut() {
    Batch batch = TrajectoryBatch.of(PLAYED);
    Map<String, Double> metrics = new HashMap<>();
    Batch masked =
        TruncatedResponseMask.masked(
            batch, PLAYED, environments(EnvLimits.CutResponses.MASK), metrics);
    assertArrayEquals(
        new boolean[] {false, true, true, false, false, false, false, true},
        masked.layout().mask());
    assertEquals(Map.of("actor/max_len_mask_ratio", 0.5), metrics);
  }

  @Test
  void unlessTheyAreTrainedOn() {
    Batch batch = TrajectoryBatch.of(PLAYED);
    Map<String, Double> metrics = new HashMap<>();
    for (EnvLimits.CutResponses cut :
        List.of(EnvLimits.CutResponses.TRAIN, EnvLimits.CutResponses.FAIL)) {
      assertSame(batch, TruncatedResponseMask.masked(batch, PLAYED, environments(cut), metrics));
    }
    assertEquals(Map.of(), metrics);
  }
}

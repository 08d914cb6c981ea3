package roll.core.step;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.data.Batch;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.batching.TrajectoryBatch;
import roll.runtime.config.algorithm.SampleMaskConfig;

/** Three groups of two episodes: solved, half solved, and one that is never solved. */
class SampleMasksTest {
  private static final List<Trajectory> PLAYED =
      List.of(
          played(0, 0, 1),
          played(0, 1, 1),
          played(1, 0, 1).withCut(List.of(0)),
          played(1, 1, 0),
          played(2, 0, 0),
          played(2, 1, 0));

  private final Map<String, Double> metrics = new HashMap<>();

  private static Trajectory played(int group, int member, double score) {
    return new Trajectory(
        new TrajectoryKey("A", group, 0, member, 9),
        List.of(new Sequence(new int[2], new int[] {-1, 0}, new double[2], new long[2])),
        new double[] {score},
        new long[1],
        List.of(),
        Map.of(),
        "terminated");
  }

  private boolean[] kept(SampleMaskConfig config) {
    boolean[] mask =
        SampleMasks.masked(TrajectoryBatch.of(PLAYED), PLAYED, config, metrics).layout().mask();
    boolean[] kept = new boolean[PLAYED.size()];
    for (int i = 0; i < kept.length; i++) {
      assertFalse(mask[2 * i], "the prompt is never trained on");
      kept[i] = mask[2 * i + 1];
    }
    return kept;
  }

  @Test
  void groupsThatAreTooEasyOrTooHardAreLeftOut() {
    assertArrayEquals(
        new boolean[] {false, false, true, true, false, false},
        kept(new SampleMaskConfig(false, true, 0.1, 0.95)));
    assertEquals(1 / 3.0, metrics.get("actor/difficulty_mask_ratio"), 1e-12);
    assertEquals(2, metrics.get("actor/samples_used"));
    assertArrayEquals(
        new boolean[6], kept(new SampleMaskConfig(false, true, 0.5, 1)), "thresholds are excluded");
  }

  /** A penalty changes the score of an answer, not whether it is correct. */
  @Test
  void accuracyCountsWhereARewardReportsIt() {
    List<Trajectory> graded =
        PLAYED.stream()
            .map(t -> t.withRewards(new double[] {0.5}, Map.of("reward/a/acc", t.score())))
            .toList();
    boolean[] mask =
        SampleMasks.masked(
                TrajectoryBatch.of(graded),
                graded,
                new SampleMaskConfig(false, true, 0.1, 0.95),
                metrics)
            .layout()
            .mask();
    assertArrayEquals(
        new boolean[] {false, false, false, false, false, true, false, true},
        Arrays.copyOf(mask, 8));
    assertEquals(2, metrics.get("actor/samples_used"));
  }

  @Test
  void cutSamplesAreLeftOut() {
    assertArrayEquals(
        new boolean[] {true, true, false, true, true, true},
        kept(new SampleMaskConfig(true, false, 0, 1)));
    assertEquals(5 / 6.0, metrics.get("actor/max_len_mask_ratio"), 1e-12);
    assertArrayEquals(
        new boolean[] {false, false, false, true, false, false},
        kept(new SampleMaskConfig(true, true, 0.1, 0.95)));
    assertEquals(1 / 6.0, metrics.get("actor/final_mask_ratio"), 1e-12);
  }

  @Test
  void aGroupOfOneIsKept() {
    List<Trajectory> one = PLAYED.subList(0, 1);
    Batch batch = TrajectoryBatch.of(one);
    SampleMaskConfig config = new SampleMaskConfig(false, true, 0.1, 0.95);
    Batch masked = SampleMasks.masked(batch, one, config, metrics);
    assertArrayEquals(batch.layout().mask(), masked.layout().mask());
    assertFalse(SampleMasks.leavesNone(masked, config, metrics));
    Batch empty = batch.keeping(new boolean[2]);
    assertTrue(SampleMasks.leavesNone(empty, config, metrics));
    assertEquals(1, metrics.get("mask/final_mask_sum_eq_0"));
    assertFalse(SampleMasks.leavesNone(empty, SampleMaskConfig.NONE, metrics));
    assertSame(batch, SampleMasks.masked(batch, one, SampleMaskConfig.NONE, metrics));
  }
}

package roll.core.step;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import roll.api.data.Batch;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.batching.TrajectoryBatch;

@NullMarked
class StalenessTest {
  private final Staleness staleness = new Staleness();
  private final Map<String, Double> metrics = new LinkedHashMap<>();

  /**
   * Returns a trajectory whose turns were sampled with the weights {@code versions}; −1 for no
   * model.
   */
  private static Trajectory written(long... versions) {
    int[] turns = Arrays.stream(versions).mapToInt(version -> version < 0 ? -1 : 0).toArray();
    Sequence sequence =
        new Sequence(new int[versions.length], turns, new double[versions.length], versions);
    return new Trajectory(
        new TrajectoryKey("T", 0, 0, 0, 9),
        List.of(sequence),
        new double[] {1},
        new long[1],
        List.of(),
        Map.of(),
        "terminated");
  }

  @Test
  void tokensAreAsOldAsTheNumberOfLaterWeights() {
    staleness.shared(0);
    staleness.shared(4);
    staleness.shared(8);
    staleness.measure(List.of(written(-1, 0, 4), written(-1, -1, 6, 8, 8)), 1, metrics);
    // 0 is two steps old, 4 and what was trained in part by then one, 8 none
    assertEquals(
        Map.of(
            "async/staleness/mean", 0.8,
            "async/staleness/max", 2.0,
            "async/staleness/0", 0.4,
            "async/staleness/1", 0.4,
            "async/staleness/2", 0.2,
            "async/mixed_trajectories", 1.0),
        metrics);
  }

  @Test
  void tokensOfACheckpointKeepTheirAge() {
    staleness.shared(0);
    staleness.shared(4);
    staleness.shared(8);
    assertEquals(List.of(4L, 8L), staleness.last(2));
    Staleness resumed = new Staleness();
    resumed.restore(staleness.last(2));
    resumed.shared(12);
    resumed.measure(List.of(written(-1, 4, 6)), 1, metrics);
    assertEquals(2, metrics.get("async/staleness/max"));
    assertEquals(2, metrics.get("async/staleness/mean"));
  }

  @Test
  void theHistogramIsAsLongAsStalenessMayBe() {
    staleness.shared(0);
    staleness.measure(List.of(written(-1, 0)), 1, metrics);
    assertEquals(1, metrics.get("async/staleness/0"));
    assertEquals(0, metrics.get("async/staleness/1"));
    assertEquals(0, metrics.get("async/mixed_trajectories"));
  }

  /** Tokens of an age are compared with one another; prompts and masked tokens with none. */
  @Test
  void theTrainedPolicyDiffersFromOldWeightsByToken() {
    staleness.shared(0);
    staleness.shared(4);
    List<Trajectory> played = List.of(written(-1, 0, 0), written(4, -1, 4));
    Batch batch = TrajectoryBatch.of(played);
    staleness.compare(played, batch, metrics);
    assertEquals(Map.of(), metrics, "nothing was scored");
    double[] old = {9, -0.5, 1, 0.25, 9, 0};
    staleness.compare(played, batch.withColumn(Batch.OLD_LOG_PROBS, old), metrics);
    assertEquals(Map.of("async/log_ratio/0", 0.125, "async/log_ratio/1", 0.75), metrics);
  }
}

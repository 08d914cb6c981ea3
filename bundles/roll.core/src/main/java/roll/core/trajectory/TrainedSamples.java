package roll.core.trajectory;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.data.Column;

/** What training makes of a step's samples, by the sequences of trajectories that they are. */
public final class TrainedSamples {
  /** Of a step that did not come so far. */
  public static final TrainedSamples NONE = new TrainedSamples(Map.of());

  private final Map<Place, TrainedTokens> samples;

  private TrainedSamples(Map<Place, TrainedTokens> samples) {
    this.samples = samples;
  }

  /** Which sequence of which trajectory a sample is. */
  private record Place(String trajectory, int sequence) {
    static Place of(Batch batch, int sample) {
      int[] steps = batch.columnOrNull(Batch.STEPS); // missing where each trajectory is one sample
      return new Place(
          batch.column(Batch.TRAJECTORY_IDS).get(sample), steps == null ? 0 : steps[sample]);
    }
  }

  /**
   * Those of a step.
   *
   * @param estimated with advantages
   * @param trained those of them that are trained on
   * @param recomputed whether the trainer computed the old log-probs, where there are any, and did
   *     not take them over from the policy that wrote
   */
  public static TrainedSamples of(Batch estimated, Batch trained, boolean recomputed) {
    Map<Place, Integer> kept = new HashMap<>();
    for (int i = 0; i < trained.samples(); i++) {
      kept.put(Place.of(trained, i), i);
    }
    Map<Place, TrainedTokens> samples = new HashMap<>();
    for (int i = 0; i < estimated.samples(); i++) {
      Place place = Place.of(estimated, i);
      double @Nullable [] advantages = cells(estimated, i, Batch.ADVANTAGES);
      if (advantages == null) {
        continue;
      }
      Integer number = kept.get(place);
      samples.put(
          place,
          new TrainedTokens(
              advantages,
              recomputed ? cells(estimated, i, Batch.OLD_LOG_PROBS) : null,
              cells(estimated, i, Batch.REFERENCE_LOG_PROBS),
              number == null ? new boolean[advantages.length] : mask(trained, number)));
    }
    return new TrainedSamples(samples);
  }

  private static boolean[] mask(Batch batch, int sample) {
    int[] offsets = batch.layout().offsets();
    return Arrays.copyOfRange(batch.layout().mask(), offsets[sample], offsets[sample + 1]);
  }

  /** The column {@code key} of a sample, 0 outside of the policy tokens; null if it is missing. */
  private static double @Nullable [] cells(Batch batch, int sample, Column<double[]> key) {
    double[] column = batch.columnOrNull(key);
    if (column == null) {
      return null;
    }
    double[] cells = new double[batch.layout().offsets()[sample + 1] - start(batch, sample)];
    for (int t : batch.layout().policyTokens(sample)) {
      cells[t - start(batch, sample)] = column[t];
    }
    return cells;
  }

  private static int start(Batch batch, int sample) {
    return batch.layout().offsets()[sample];
  }

  /**
   * Those of the sequence {@code number} of a trajectory; null where it did not become a sample.
   */
  @Nullable TrainedTokens of(String trajectory, int number) {
    return samples.get(new Place(trajectory, number));
  }
}

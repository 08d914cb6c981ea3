package roll.core.trajectory;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.data.ColumnKey;

/** Training data of a step's samples by trajectory and sequence. */
public final class TrainedSamples {
  /** The data of a step that was not trained on. */
  public static final TrainedSamples NONE = new TrainedSamples(Map.of());

  private final Map<Place, TrainedTokens> samples;

  private TrainedSamples(Map<Place, TrainedTokens> samples) {
    this.samples = samples;
  }

  /** The trajectory and sequence of a sample. */
  private record Place(String trajectory, int sequence) {
    static Place of(Batch batch, int sample) {
      int[] steps = batch.columnOrNull(Batch.STEPS); // missing where each trajectory is one sample
      return new Place(
          batch.column(Batch.TRAJECTORY_IDS).get(sample), steps == null ? 0 : steps[sample]);
    }
  }

  /**
   * Returns the training data of a step's samples.
   *
   * @param estimated all samples with advantages
   * @param trained the samples that are trained on
   * @param recomputed whether the trainer computed the old log-probs instead of using those of
   *     sampling
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
  private static double @Nullable [] cells(Batch batch, int sample, ColumnKey<double[]> key) {
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

  /** The data of sequence {@code number} of a trajectory; null if it is not a sample. */
  @Nullable TrainedTokens of(String trajectory, int number) {
    return samples.get(new Place(trajectory, number));
  }
}

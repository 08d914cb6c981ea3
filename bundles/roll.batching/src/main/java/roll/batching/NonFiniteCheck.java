package roll.batching;

import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.data.ColumnKey;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;

/** Finds NaN and infinities in a batch. */
public final class NonFiniteCheck {
  private NonFiniteCheck() {}

  /**
   * Describes the first policy token with a number that is not finite in one of the token columns
   * {@code keys}, with column, trajectory, token and number. Null if all are finite; missing
   * columns are skipped.
   */
  public static @Nullable String problem(Batch batch, ColumnKey<?>... keys) {
    for (ColumnKey<?> key : keys) {
      double[] column = batch.columnOrNull(key) instanceof double[] found ? found : new double[0];
      for (int i = 0; column.length > 0 && i < batch.samples(); i++) {
        for (int t : batch.layout().policyTokens(i)) {
          if (!Double.isFinite(column[t])) {
            return "%s of trajectory %s at token %d (id %d) is %s"
                .formatted(
                    key.name(),
                    trajectory(batch, i),
                    t - batch.layout().offsets()[i],
                    batch.tokens()[t],
                    column[t]);
          }
        }
      }
    }
    return null;
  }

  /**
   * Describes the first reward of a trajectory that is not finite, with the last token of its turn.
   */
  public static @Nullable String problem(Trajectory trajectory) {
    for (int turn = 0; turn < trajectory.rewards().length; turn++) {
      if (!Double.isFinite(trajectory.rewards()[turn])) {
        return "the reward of trajectory %s in turn %d, up to token %d, is %s"
            .formatted(
                trajectory.id(), turn, lastToken(trajectory, turn), trajectory.rewards()[turn]);
      }
    }
    return null;
  }

  /** Returns the index of the last token of {@code turn} in its sequence. */
  private static int lastToken(Trajectory trajectory, int turn) {
    int last = 0;
    for (Sequence sequence : trajectory.sequences()) {
      for (int t = 0; t < sequence.turns().length; t++) {
        last = sequence.turns()[t] == turn ? t : last;
      }
    }
    return last;
  }

  private static String trajectory(Batch batch, int sample) {
    List<String> ids = batch.columnOrNull(Batch.TRAJECTORY_IDS);
    return ids == null ? "number " + sample : ids.get(sample);
  }
}

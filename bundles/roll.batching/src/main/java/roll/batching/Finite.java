package roll.batching;

import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;

/** Finds numbers that nothing can be learned from. */
public final class Finite {
  private Finite() {}

  /**
   * The first policy token that has no finite number in one of the token columns {@code names}: a
   * phrase that names column, trajectory, token and number. Null if all are finite; columns that do
   * not exist are passed over.
   */
  public static @Nullable String problem(Batch batch, String... names) {
    for (String name : names) {
      double[] column = batch.tokenColumnOrNull(name);
      for (int i = 0; column != null && i < batch.samples(); i++) {
        for (int t = batch.offsets()[i]; t < batch.offsets()[i + 1]; t++) {
          if (batch.mask()[t] && !Double.isFinite(column[t])) {
            return "%s of trajectory %s at token %d (id %d) is %s"
                .formatted(
                    name,
                    trajectory(batch, i),
                    t - batch.offsets()[i],
                    batch.tokens()[t],
                    column[t]);
          }
        }
      }
    }
    return null;
  }

  /** The same of a trajectory's rewards; the token is the last of the turn. */
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

  /** Place of the last token of {@code turn} in its sequence. */
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
    return batch.labels().containsKey(Batch.TRAJECTORY_IDS)
        ? batch.labels(Batch.TRAJECTORY_IDS).get(sample)
        : "number " + sample;
  }
}

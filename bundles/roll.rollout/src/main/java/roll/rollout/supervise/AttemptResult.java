package roll.rollout.supervise;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;

/**
 * How an attempt ended: with a trajectory, with a failure, or with both where it was played to its
 * end and then could not be graded.
 *
 * @param attempt which
 * @param trajectory null where it was not played to its end
 * @param failure null where nothing failed
 */
public record AttemptResult(
    Attempt attempt, @Nullable Trajectory trajectory, @Nullable Throwable failure) {
  /** By slot. */
  public static final Comparator<AttemptResult> ORDER =
      Comparator.comparing(ended -> ended.attempt().slot());
}

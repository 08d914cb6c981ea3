package roll.rollout.supervise;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;

/**
 * How an attempt ended: with a trajectory or with a failure.
 *
 * @param attempt which
 * @param trajectory null where it failed
 * @param failure null where it did not
 */
public record AttemptResult(
    Attempt attempt, @Nullable Trajectory trajectory, @Nullable Throwable failure) {
  /** By slot. */
  public static final Comparator<AttemptResult> ORDER =
      Comparator.comparing(ended -> ended.attempt().slot());
}

package roll.rollout.supervise;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;

/**
 * The result of an attempt: a trajectory, a failure, or both if the episode was complete but could
 * not be graded.
 *
 * @param attempt the attempt
 * @param trajectory null if the episode was not completed
 * @param failure null without a failure
 */
public record AttemptResult(
    Attempt attempt, @Nullable Trajectory trajectory, @Nullable Throwable failure) {
  /** Orders the results of attempts by slot. */
  public static final Comparator<AttemptResult> ORDER =
      Comparator.comparing(ended -> ended.attempt().slot());
}

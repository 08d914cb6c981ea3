package roll.runtime.worker;

import org.jspecify.annotations.Nullable;

/**
 * The result of {@link Task.Train}.
 *
 * @param problem reason for which updates were not made, a phrase; null if all were made
 */
public record TrainReport(@Nullable String problem) {
  /** Train report of a task whose updates were all made. */
  public static final TrainReport COMPLETE = new TrainReport(null);
}

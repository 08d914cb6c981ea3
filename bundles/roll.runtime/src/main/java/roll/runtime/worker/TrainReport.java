package roll.runtime.worker;

import org.jspecify.annotations.Nullable;

/**
 * What became of {@link Task.Train}.
 *
 * @param problem what kept the role from making all updates, a phrase; null where it made them
 */
public record TrainReport(@Nullable String problem) {
  /** All updates were made. */
  public static final TrainReport COMPLETE = new TrainReport(null);
}

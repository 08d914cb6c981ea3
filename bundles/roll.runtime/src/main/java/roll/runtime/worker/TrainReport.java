package roll.runtime.worker;

import java.util.Optional;

/**
 * What became of {@link Task.Train}.
 *
 * @param problem what kept the role from making all updates, a phrase; empty where it made them
 */
public record TrainReport(Optional<String> problem) {
  /** All updates were made. */
  public static final TrainReport COMPLETE = new TrainReport(Optional.empty());
}

package roll.api.tracking;

import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Option;
import roll.api.option.Options;

/** Receives the metrics of a run. */
@ConsumerType
public interface Tracker {
  /** What {@code tracker_kwargs} may contain; nothing by default. */
  default List<Option<?>> options() {
    return List.of();
  }

  /**
   * Starts tracking one run.
   *
   * @throws roll.api.option.UserException if an option is wrong or the place cannot be written
   */
  Tracking open(TrackedRun run);

  /**
   * The run to be tracked.
   *
   * @param name of the experiment
   * @param folder output folder of the run
   * @param maxSteps steps the run will have
   * @param firstStep first step that will be reported; what an earlier attempt wrote from there on
   *     is removed
   * @param options {@code tracker_kwargs}, checked against {@link Tracker#options}
   */
  record TrackedRun(String name, Path folder, int maxSteps, int firstStep, Options options) {}
}

package roll.api.tracking;

import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Option;
import roll.api.option.Options;

/** Receives the metrics of a run. */
@ConsumerType
public interface Tracker {
  /** Options of {@code tracker_kwargs}; none by default. */
  default List<Option<?>> options() {
    return List.of();
  }

  /**
   * Checks option values that {@link #options} cannot express, before a run starts. Opens and sends
   * nothing; accepts all by default.
   *
   * @param options {@code tracker_kwargs}, checked against {@link #options}
   * @throws roll.api.option.UserException if a value is invalid
   */
  default void check(Options options) {}

  /**
   * Starts tracking the metrics of one run.
   *
   * @throws roll.api.option.UserException if an option is invalid or the destination cannot be
   *     written
   */
  Tracking open(TrackedRun run);

  /**
   * The run whose metrics are tracked.
   *
   * @param name of the experiment
   * @param folder output folder of the run
   * @param maxSteps number of steps of the run
   * @param firstStep first step that will be logged; entries of an earlier attempt from this step
   *     on are removed
   * @param options {@code tracker_kwargs}, checked against {@link Tracker#options}
   */
  record TrackedRun(String name, Path folder, int maxSteps, int firstStep, Options options) {}
}

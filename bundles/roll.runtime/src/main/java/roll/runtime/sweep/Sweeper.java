package roll.runtime.sweep;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;

/** Runs a configuration for every combination of some values, and summarizes the results. */
@ProviderType
public interface Sweeper {
  /**
   * Checks every combination and begins to run those that are not finished, in the background.
   *
   * @param lines takes a line for people whenever a run begins or ends, from any thread
   * @throws roll.api.option.UserException if it cannot begin: the values are no lists, a
   *     combination is refused, the folder is another sweep's or in use, the machine has too little
   *     for so many runs at once
   */
  SweepRun start(SweepRequest order, Consumer<String> lines);

  /**
   * Sums up the sweep in {@code folder}, which may be going on, and draws its picture again.
   *
   * @param metric what is compared, or null for what a sweep compares by default
   * @throws roll.api.option.UserException if there is no sweep, or no run has the metric
   */
  SweepResult show(Path folder, @Nullable String metric);
}

package roll.runtime.sweep;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a sweep.
 *
 * @param file the configuration
 * @param keys settings {@code key=value}; where the value is a list in brackets, each of its values
 *     is run
 * @param sft whether the runs are supervised warm starts
 * @param jobs how many runs go on at once
 * @param metric what is compared, or null for what a sweep compares by default
 */
public record SweepOrder(
    Path file, List<String> keys, boolean sft, int jobs, @Nullable String metric) {
  /** Copies the settings. */
  public SweepOrder {
    keys = List.copyOf(keys);
  }
}

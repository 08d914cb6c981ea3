package roll.runtime.sweep;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request for a sweep.
 *
 * @param file the configuration
 * @param keys settings {@code key=value}; a list in brackets gives one run for each of its values
 * @param sft whether the runs are supervised warm starts
 * @param jobs number of concurrent runs
 * @param metric metric to compare, or null for the default
 */
public record SweepRequest(
    Path file, List<String> keys, boolean sft, int jobs, @Nullable String metric) {
  /** Creates a sweep request with immutable copies of the settings. */
  public SweepRequest {
    keys = List.copyOf(keys);
  }
}

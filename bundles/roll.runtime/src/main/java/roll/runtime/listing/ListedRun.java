package roll.runtime.listing;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A run as it is listed.
 *
 * @param name of the experiment
 * @param folder its absolute path
 * @param state {@code running}, {@code finished}, {@code interrupted} (ended before its last step,
 *     with a checkpoint), {@code failed}, {@code killed} (its log has no end, and no process writes
 *     it) or {@code ended} (no log); of a run of this process also that of its status
 * @param step number of completed steps
 * @param maxSteps null if unknown
 * @param started ms since 1970, or null
 * @param ended ms since 1970; null while it runs
 * @param headline last values of scores, success rates and losses, by name of the metric
 * @param note of a user, empty without one
 * @param tags of a user
 * @param archived whether it is listed on request only
 * @param columns a number, a text or null by wanted field
 */
public record ListedRun(
    String name,
    String folder,
    String state,
    int step,
    @Nullable Integer maxSteps,
    @Nullable Long started,
    @Nullable Long ended,
    Map<String, Double> headline,
    String note,
    List<String> tags,
    boolean archived,
    Map<String, @Nullable Object> columns) {
  /** Creates a listed run with immutable copies of its collections. */
  public ListedRun {
    headline = Collections.unmodifiableMap(new LinkedHashMap<>(headline));
    tags = List.copyOf(tags);
    columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
  }
}

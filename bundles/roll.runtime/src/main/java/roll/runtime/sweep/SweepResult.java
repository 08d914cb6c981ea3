package roll.runtime.sweep;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a sweep; plain values that can be written as JSON.
 *
 * @param folder of the sweep
 * @param command what its runs are: {@code train} or {@code sft}
 * @param metric what is compared; null where no run has written any that is compared by default
 * @param least whether the best value is the least one, as of a loss
 * @param runs one for each combination of values
 * @param groups the runs that differ in the seed alone, together
 * @param picture file of the curves, or null where there is none
 * @param notices lines for the user
 */
public record SweepResult(
    String folder,
    String command,
    @Nullable String metric,
    boolean least,
    List<SweptRun> runs,
    List<SeedGroup> groups,
    @Nullable String picture,
    List<String> notices) {
  /** Creates a sweep result with immutable copies of the lists. */
  public SweepResult {
    runs = List.copyOf(runs);
    groups = List.copyOf(groups);
    notices = List.copyOf(notices);
  }
}

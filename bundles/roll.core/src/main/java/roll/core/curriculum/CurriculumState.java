package roll.core.curriculum;

import java.util.List;
import java.util.Map;
import roll.api.curriculum.LevelResult;

/**
 * State of a run's curriculum, saved in checkpoints.
 *
 * @param type the curriculum that returned {@code memory}; empty before the first step
 * @param memory the curriculum's memory
 * @param owed groups by tag, see {@link GroupCredits}
 * @param recent results by tag, oldest first
 */
public record CurriculumState(
    String type,
    Map<String, Double> memory,
    Map<String, Double> owed,
    Map<String, List<LevelResult>> recent) {
  /** The curriculum state of a new run. */
  public static final CurriculumState NEW = new CurriculumState("", Map.of(), Map.of(), Map.of());
}

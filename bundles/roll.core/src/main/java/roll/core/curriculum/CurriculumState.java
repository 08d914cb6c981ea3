package roll.core.curriculum;

import java.util.List;
import java.util.Map;
import roll.api.curriculum.LevelResult;

/**
 * What a run remembers of its levels; written into checkpoints as it is.
 *
 * @param type the curriculum that {@code memory} is of; empty before the first step
 * @param memory what it asked to be remembered
 * @param owed groups by tag, see {@link GroupCredits}
 * @param recent results by tag, oldest first
 */
public record CurriculumState(
    String type,
    Map<String, Double> memory,
    Map<String, Double> owed,
    Map<String, List<LevelResult>> recent) {
  /** That of a run which has played nothing. */
  public static final CurriculumState NEW = new CurriculumState("", Map.of(), Map.of(), Map.of());
}

package roll.api.reward;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The score of an episode, with details.
 *
 * @param score the score, finite
 * @param details further numbers by name, such as {@code acc} or {@code em}; logged
 * @param answer the answer extracted from the response, for majority votes over several episodes,
 *     or null
 */
public record Grade(double score, Map<String, Double> details, @Nullable String answer) {
  /** Creates a grade and makes its details unmodifiable. */
  public Grade {
    details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
  }

  /** Creates a grade with a score alone. */
  public static Grade of(double score) {
    return new Grade(score, Map.of(), null);
  }

  /**
   * A score of 1 or 0 for a correct or incorrect answer.
   *
   * @param answer the extracted answer, or null if there is none
   */
  public static Grade of(boolean right, @Nullable String answer) {
    double score = right ? 1 : 0;
    return new Grade(score, Map.of("acc", score), answer);
  }
}

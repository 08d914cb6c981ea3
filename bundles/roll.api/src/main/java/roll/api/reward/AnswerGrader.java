package roll.api.reward;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Option;
import roll.api.option.Options;

/**
 * Compares answers of the model with reference answers. Stateless; called from many threads at
 * once; time-limited.
 */
@ConsumerType
public interface AnswerGrader {
  /** One sentence that describes which answers count as equal. */
  String description();

  /** The options of the grader; none by default. */
  default List<Option<?>> options() {
    return List.of();
  }

  /**
   * Returns the grader with these options, already checked against {@link #options}.
   *
   * @throws roll.api.option.UserException if a value is not allowed
   */
  default AnswerGrader configure(Options options) {
    return this;
  }

  /**
   * Whether the answer in {@code response} equals {@code gold}; false if it cannot be parsed, or
   * not in time. Not symmetric.
   *
   * @param gold the reference answer alone
   * @param response a complete response that contains an answer
   */
  boolean equal(String gold, String response);

  /** Returns the answer in {@code response} as written there; empty if none is found. */
  Optional<String> answer(String response);
}

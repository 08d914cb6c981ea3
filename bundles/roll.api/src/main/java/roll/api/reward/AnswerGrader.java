package roll.api.reward;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Option;
import roll.api.option.Options;

/** Compares answers. Stateless; called from many threads at once, and bounded in time. */
@ConsumerType
public interface AnswerGrader {
  /** One sentence: what it holds for equal. */
  String description();

  /** The options it understands; none where it has only one way to compare. */
  default List<Option<?>> options() {
    return List.of();
  }

  /**
   * The grader that compares as {@code options} say, which were checked against {@link #options}.
   *
   * @throws roll.api.option.UserException if a value is not allowed
   */
  default AnswerGrader configure(Options options) {
    return this;
  }

  /**
   * Whether what {@code response} answers is the same as {@code gold}; what cannot be read, or not
   * in time, is not. Not symmetric: the known answer comes first.
   *
   * @param gold the known answer alone
   * @param response a whole response, in which the answer is sought
   */
  boolean equal(String gold, String response);

  /** What {@code response} answers, as it is written there; empty where no answer is found. */
  Optional<String> answer(String response);
}

package roll.api.reward;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;

/**
 * Location of the reference answers in the facts of an episode.
 *
 * @param where location of the reward in the configuration, for messages
 * @param paths candidate paths, see {@link TaskFacts#at}; the first that exists counts
 */
public record AnswerKey(String where, List<String> paths) {
  /** The option with a single path to the answer; by default the usual ones are tried. */
  public static final Option<String> OPTION =
      Option.text(
          "answer_key",
          "field of the reference answer; default: answer, ground_truth or another usual name");

  private static final String SOLUTION = "solution";

  private static final List<String> USUAL =
      List.of(
          "answer",
          "ground_truth",
          "reward_model.ground_truth",
          "gold",
          "golden_answers",
          "answers",
          "final_answer",
          SOLUTION,
          "target",
          "output");

  private static final String FINAL = "####";
  private static final String BOXED = "\\boxed{";

  /** Reads {@link #OPTION} of {@code options}. */
  public static AnswerKey of(Options options) {
    List<String> paths = options.find(OPTION).map(List::of).orElse(USUAL);
    return new AnswerKey(options.where(), paths);
  }

  /**
   * The reference answers, at least one; each is correct. Numbers have no exponent. Of a solution
   * that ends with {@code ####} and the answer (GSM8K), only the answer; of a derivation in {@code
   * solution} (MATH), the content of the last box.
   *
   * @throws UserException naming the paths, if there is none
   */
  public List<String> answers(Trajectory episode) {
    List<String> found = find(episode.facts());
    if (!found.isEmpty()) {
      return found;
    }
    throw new UserException(
        "%s: an episode of %s has no reference answer (looked for: %s; its facts: %s)"
            .formatted(
                where,
                episode.tag(),
                String.join(", ", paths),
                episode.facts().isEmpty() ? "none" : String.join(", ", episode.facts().keySet())));
  }

  /** The answers in {@code facts}; empty if no path leads to one. */
  public List<String> find(Map<String, Object> facts) {
    for (String path : paths) {
      List<String> found = new ArrayList<>();
      Object fact = TaskFacts.at(facts, path);
      add(found, path.equals(SOLUTION) && fact instanceof String text ? boxed(text) : fact);
      if (!found.isEmpty()) {
        return List.copyOf(found);
      }
    }
    return List.of();
  }

  private static void add(List<String> found, @Nullable Object fact) {
    switch (fact) {
      case String text -> found.add(last(text));
      case Double number -> found.add(plain(number));
      case Number number -> found.add(number.toString());
      case Boolean flag -> found.add(flag.toString());
      case Iterable<?> several -> several.forEach(one -> add(found, one));
      case null, default -> {}
    }
  }

  private static String plain(double number) {
    return Double.isFinite(number)
        ? BigDecimal.valueOf(number).stripTrailingZeros().toPlainString()
        : String.valueOf(number);
  }

  private static String boxed(String text) {
    int begin = text.lastIndexOf(BOXED);
    int depth = 1;
    int end = begin + BOXED.length();
    while (begin >= 0 && end < text.length() && depth > 0) {
      char next = text.charAt(end++);
      depth += next == '{' ? 1 : next == '}' ? -1 : 0;
    }
    return begin < 0 || depth > 0 ? text : text.substring(begin + BOXED.length(), end - 1);
  }

  private static String last(String text) {
    int mark = text.lastIndexOf(FINAL);
    return mark < 0 ? text : text.substring(mark + FINAL.length()).strip();
  }
}

package roll.reward.llm_judge;

import static java.util.Locale.ROOT;

import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.reward.Grade;
import roll.text.BoundedSearch;

/**
 * Parses the verdict of a judge.
 *
 * @param pattern pattern whose last match has the number in its first group
 * @param min number with score 0
 * @param max number with score 1
 * @param unreadable score of a verdict without a number
 * @param accept text that a verdict of 1 contains, and one of 0 does not; empty for a number
 */
record JudgeVerdict(Pattern pattern, double min, double max, double unreadable, String accept) {
  private static final double MOST = 1e9;

  /** The default pattern: the word score and a number. */
  private static final String STANDARD = "(?i)score\\W{0,5}?(-?\\d+(?:\\.\\d+)?)";

  private static final Option<String> SCORE_PATTERN =
      Option.text(
              "score_pattern",
              "regular expression; the first group of its last match is the number")
          .withDefault(STANDARD);
  private static final Option<Double> MIN =
      Option.number("min", -MOST, MOST, "number with score 0").withDefault(0.0);
  private static final Option<Double> MAX =
      Option.number("max", -MOST, MOST, "number with score 1").withDefault(10.0);
  private static final Option<Double> UNREADABLE =
      Option.number("unreadable", 0, 1, "score of a verdict without a number").withDefault(0.0);

  private static final Option<String> ACCEPT =
      Option.text(
          "accept",
          "instead of a number: text, such as yes, which the verdict contains, in any case, for"
              + " score 1");

  /** Options of the judge's verdict that {@link #of} reads. */
  static final List<Option<?>> OPTIONS = List.of(SCORE_PATTERN, MIN, MAX, UNREADABLE, ACCEPT);

  /** Creates the parser of {@code options}. */
  static JudgeVerdict of(Options options) {
    double min = options.get(MIN);
    double max = options.get(MAX);
    if (min >= max) {
      throw options.wrong(MAX, "a number greater than min");
    }
    return new JudgeVerdict(
        pattern(options), min, max, options.get(UNREADABLE), options.find(ACCEPT).orElse(""));
  }

  private static Pattern pattern(Options options) {
    try {
      Pattern pattern = Pattern.compile(options.get(SCORE_PATTERN));
      if (pattern.matcher("").groupCount() > 0) {
        return pattern;
      }
    } catch (PatternSyntaxException e) {
      throw options.wrong(SCORE_PATTERN, "a regular expression (" + e.getDescription() + ")");
    }
    throw options.wrong(SCORE_PATTERN, "a regular expression with a group for the number");
  }

  /** Returns the grade of {@code answer}; numbers out of range are clamped. */
  Grade grade(String answer) {
    if (!accept.isEmpty()) {
      return Grade.of(answer.toLowerCase(ROOT).contains(accept.toLowerCase(ROOT)), null);
    }
    String last = null;
    for (MatchResult found : BoundedSearch.all(pattern, answer)) {
      last = found.group(1) == null ? last : found.group(1);
    }
    double number = number(last == null ? "" : last);
    boolean read = Double.isFinite(number);
    double score = read ? Math.clamp((number - min) / (max - min), 0, 1) : unreadable;
    return new Grade(score, Map.of("unreadable", read ? 0.0 : 1.0), null);
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }
}

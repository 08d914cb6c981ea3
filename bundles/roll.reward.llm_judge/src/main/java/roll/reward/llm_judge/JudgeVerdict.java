package roll.reward.llm_judge;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import roll.api.option.Options;
import roll.api.reward.Grade;

/**
 * Reads what a judge says.
 *
 * @param pattern whose last match has the number in its first group
 * @param min number that is worth 0
 * @param max number that is worth 1
 * @param unreadable score where there is no number
 */
record JudgeVerdict(Pattern pattern, double min, double max, double unreadable) {
  /** The word score and a number. */
  static final String STANDARD = "(?i)score\\W{0,5}?(-?\\d+(?:\\.\\d+)?)";

  private static final double MOST = 1e9;

  /** What {@code options} say. */
  static JudgeVerdict of(Options options) {
    double min = options.number("min", -MOST, MOST);
    double max = options.number("max", -MOST, MOST);
    if (min >= max) {
      throw options.wrong("max", "a number greater than min");
    }
    return new JudgeVerdict(pattern(options), min, max, options.number("unreadable", 0, 1));
  }

  private static Pattern pattern(Options options) {
    try {
      Pattern pattern = Pattern.compile(options.text("score_pattern"));
      if (pattern.matcher("").groupCount() > 0) {
        return pattern;
      }
    } catch (PatternSyntaxException e) {
      throw options.wrong("score_pattern", "a regular expression (" + e.getDescription() + ")");
    }
    throw options.wrong("score_pattern", "a regular expression with a group for the number");
  }

  /** The grade that {@code answer} gives: numbers beyond the ends count as the ends. */
  Grade grade(String answer) {
    String last = null;
    for (Matcher found = pattern.matcher(answer); found.find(); ) {
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

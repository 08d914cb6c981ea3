package roll.grader.math_verify.compare;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds a percent sign, or the word, after an environment or a box. */
public final class PercentSign {
  private static final Pattern SIGN =
      Pattern.compile("\\s{0,3}(?:\\\\?%|(?:[Pp]ercent(?:age)?|[Pp]ct)\\b)");

  private PercentSign() {}

  /** Returns the index after the percent sign that follows at {@code from}; −1 without one. */
  public static int end(String text, int from) {
    Matcher sign = SIGN.matcher(text).region(from, text.length());
    return sign.lookingAt() ? sign.end() : -1;
  }

  /** Returns the content, as a percentage if {@code percent}. */
  public static String of(String content, boolean percent) {
    return percent && !content.endsWith("%") ? content + "\\%" : content;
  }
}

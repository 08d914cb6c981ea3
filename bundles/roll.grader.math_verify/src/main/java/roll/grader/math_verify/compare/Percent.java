package roll.grader.math_verify.compare;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A percent sign, or the word, behind an environment or a box. */
public final class Percent {
  private static final Pattern SIGN =
      Pattern.compile("\\s{0,3}(?:\\\\?%|(?:[Pp]ercent(?:age)?|[Pp]ct)\\b)");

  private Percent() {}

  /** Behind the percent sign that follows at {@code from}; −1 where none does. */
  public static int end(String text, int from) {
    Matcher sign = SIGN.matcher(text).region(from, text.length());
    return sign.lookingAt() ? sign.end() : -1;
  }

  /** The content as so many percent, if it is. */
  public static String of(String content, boolean percent) {
    return percent && !content.endsWith("%") ? content + "\\%" : content;
  }
}

package roll.reward.math;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Normalizes answers like the MATH data set's grader (Hendrycks et al. 2021): removes formatting
 * without meaning and completes the braces of fractions and roots.
 */
final class MathText {
  /** Maximum length of an answer to normalize; longer texts only lose their spaces. */
  private static final int MOST = 2000;

  private static final Pattern THOUSANDS = Pattern.compile("(?<=\\d),(?=\\d{3}(?!\\d))");
  private static final Pattern SQRT = Pattern.compile("\\\\sqrt([^{\\[\\\\])");
  private static final Pattern FRAC = Pattern.compile("\\\\frac(?=[^{])([^{])(?:([^{])|(?=\\{))");
  private static final Pattern HALF_FRAC = Pattern.compile("\\\\frac(\\{[^{}]*\\})([^{\\\\])");
  private static final Pattern SLASH = Pattern.compile("(-?)(\\d+)/(\\d+)");

  private MathText() {}

  /** Returns {@code answer} normalized for comparison; empty if nothing remains. */
  static String normal(String answer) {
    if (answer.length() > MOST) {
      return answer.replaceAll("\\s+", "");
    }
    String text = answer.replace("\n", "").replace("\\!", "").replace("\\\\", "\\");
    text = text.replace("tfrac", "frac").replace("dfrac", "frac");
    text = text.replace("\\left", "").replace("\\right", "");
    text = text.replace("^{\\circ}", "").replace("^\\circ", "").replace("\\circ", "");
    text = text.replace("\\$", "").replace("$", "");
    text = withoutUnit(text);
    text = text.replace("\\%", "").replace("%", "");
    text = text.replace(" .", " 0.").replace("{.", "{0.").replaceAll("\\s+", "");
    text = withoutName(text);
    text = text.startsWith(".") ? "0" + text : text;
    text = SQRT.matcher(text).replaceAll("\\\\sqrt{$1}");
    text = THOUSANDS.matcher(text).replaceAll("");
    text = fractions(text);
    if (text.equals("0.5")) {
      return "\\frac{1}{2}";
    }
    Matcher slash = SLASH.matcher(text);
    return slash.matches()
        ? slash.group(1) + "\\frac{" + slash.group(2) + "}{" + slash.group(3) + "}"
        : text;
  }

  /**
   * Removes a unit, as in {@code 5\text{ cm}}; a text without a space before its words is not a
   * unit.
   */
  private static String withoutUnit(String text) {
    int unit = text.indexOf("\\text{ ");
    return unit > 0 && text.indexOf("\\text{ ", unit + 1) < 0 ? text.substring(0, unit) : text;
  }

  /** Removes a left side of at most two characters, as in {@code x = 5}. */
  private static String withoutName(String text) {
    String[] sides = text.split("=", -1);
    return sides.length == 2 && sides[0].length() <= 2 ? sides[1] : text;
  }

  /** Adds the missing braces in {@code \frac12}, {@code \frac1{72}} and {@code \frac{1}2}. */
  private static String fractions(String text) {
    String whole =
        FRAC.matcher(text)
            .replaceAll(
                found ->
                    Matcher.quoteReplacement(
                        "\\frac{"
                            + found.group(1)
                            + "}"
                            + (found.group(2) == null ? "" : "{" + found.group(2) + "}")));
    return HALF_FRAC.matcher(whole).replaceAll("\\\\frac$1{$2}");
  }
}

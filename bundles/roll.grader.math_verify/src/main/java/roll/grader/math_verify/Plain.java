package roll.grader.math_verify;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds numbers, and expressions that begin with one, in plain text. */
final class Plain {
  private static final String DIGITS = "(?>\\d{1,3}(?:[ ,]\\d{3})++(?!\\d)|\\d++|(?=\\.\\d))";
  private static final String NUMBER = DIGITS + "(?>[.,]\\d++)?+";

  /** Before it the start, a space, an equals sign or an asterisk that makes it bold. */
  private static final Pattern EXPRESSION =
      Pattern.compile(
          "(?<![^\\s=*])[-+−]?+[$€£]?+\\\\?+"
              + NUMBER
              + "(?>\\s?+[-+*/^x]\\s?+\\(?+"
              + NUMBER
              + "\\)?+)*+(?:\\s?(?:\\\\?%|percent\\b))?+(?![\\w$^]|:\\d|\\.\\d)");

  private static final Pattern THOUSANDS = Pattern.compile("(?<=\\d)[ ,](?=\\d{3}(?!\\d))");
  private static final Pattern POWER = Pattern.compile("\\^\\s*(\\d+)");

  private Plain() {}

  /** All of them, from left to right. */
  static List<Span> in(String text) {
    List<Span> spans = new ArrayList<>();
    Matcher matcher = EXPRESSION.matcher(text);
    while (matcher.find()) {
      spans.add(new Span(matcher.start(), matcher.end(), matcher.group().strip(), Span.Kind.PLAIN));
    }
    return spans;
  }

  /** The expression as LaTeX: separators and currency gone, x for times, a point for a comma. */
  static String latex(String expression) {
    String plain = THOUSANDS.matcher(expression).replaceAll("").replace(',', '.').replace("x", "*");
    return POWER.matcher(plain).replaceAll("^{$1}");
  }
}

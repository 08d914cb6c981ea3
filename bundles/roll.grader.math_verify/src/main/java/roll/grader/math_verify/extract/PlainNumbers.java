package roll.grader.math_verify.extract;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds numbers, and expressions that begin with a number, in plain text. */
final class PlainNumbers {
  private static final String DIGITS = "(?>[1-9]\\d{0,2}(?:[ ,]\\d{3})++(?!\\d)|\\d++|(?=\\.\\d))";
  private static final String NUMBER = DIGITS + "(?>[.,]\\d++)?+";

  private static final String OPERATOR = "\\s?+(?:\\*\\*|[-+*/^x×÷])\\s?+";
  private static final String REST = "(?>" + OPERATOR + "\\(?+" + NUMBER + "\\)?+)*+";

  /** A unit directly after a number, and a currency. */
  private static final String UNIT =
      "(?<unit>(?:[kcm]?m|km/h|mph|kph|k?g|mg|lbs?|ft|in|ml|[lL]|s|h|hrs?|min|th)[23²³]?(?![\\w/])|\\$(?!\\S))?+";

  /** An expression after the start, a space, an equals sign or the asterisk of bold text. */
  private static final Pattern EXPRESSION =
      Pattern.compile(
          "(?<![^\\s=*])(?:(?<mixed>[-+−]?+\\d++ \\d++/\\d++)(?![/.,]?\\d)"
              + "|(?<power>[-+−]?+\\d++(?:\\.\\d++)?+[eE][-+]?+\\d{1,3})(?!\\d)"
              + ("|(?<brackets>[-+−]?+\\("
                  + NUMBER
                  + "(?>"
                  + OPERATOR
                  + NUMBER
                  + ")++\\)"
                  + REST
                  + ")")
              + "|[-+−]?+[$€£]?+\\\\?+"
              + NUMBER
              + REST
              + "(?:°|\\^\\{?\\\\circ\\}?)?+(?:\\s{0,2}(?:\\\\?%|(?:[Pp]ercent(?:age)?|[Pp]ct)\\b))?+)"
              + UNIT
              + "(?![\\w$^]|:\\d|\\.\\d)");

  private static final Pattern DIGITS_ALONE = Pattern.compile("-?\\d++(?:\\.\\d++)?+");
  private static final Pattern THOUSANDS =
      Pattern.compile("(?<=\\d)(?<!(?<!\\d)0)[ ,](?=\\d{3}(?!\\d))");
  private static final Pattern POWER = Pattern.compile("\\^\\s*(\\d+)");

  /** A single letter that is not a word: a possible symbol of a sum or product. */
  private static final String SYMBOL = "(?:[b-zB-HJ-Z](?![A-Za-z'’])|\\\\[A-Za-z])";

  private static final String ORDER = "[<>≤≥≠](?![/|!A-Za-z][^<>\\n]{0,20}>)";

  /** The continuation of a formula: an operator and a symbol, a command, or a symbol. */
  private static final Pattern GOES_ON =
      Pattern.compile(
          "\\h*[-+*/^_·×]\\h*\\(?"
              + SYMBOL
              + "|\\((?:\\d*|-)"
              + SYMBOL
              + "|\\h*[-+*/^]\\h*[aAI]\\h*[-+*/^=)]"
              + "|\\h*"
              + ORDER
              + "|\\h*\\\\text\\{[^{}]*\\}\\h*[-+*/^]\\h*\\d"
              + "|\\h?[xyznkpqr](?![A-Za-z'’\\d])(?!\\h\\d)"
              + "|\\h*\\\\(?!text|mathrm|q?quad|approx|implies|Rightarrow|times\\s*\\d"
              + "|[^A-Za-z])");

  /** The beginning of a formula: a symbol and an operator, or a command with arguments. */
  private static final Pattern GOES_BEFORE =
      Pattern.compile(
          "(?:(?<![A-Za-z'’\\\\])[b-zB-HJ-Z]|[)}\\]]|\\\\[A-Za-z]+)\\h*[-+*/^_·×]\\h*$"
              + "|(?<!<[^<>]{0,20})[<>≤≥≠]=?\\h*$|\\}\\h*$"
              + "|\\\\(?!q?quad|approx|simeq|sim|implies|Rightarrow|therefore|to(?![a-z])|text)"
              + "[A-Za-z]+\\h*$");

  /** Pattern of the other items of a tuple, a set or an interval before a number. */
  private static final Pattern ITEMS_BEFORE =
      Pattern.compile("[(\\[{](?:[-+\\d\\s.,/\\\\^∞]|(?<![A-Za-z])[A-Za-z](?![A-Za-z]))*,\\h*$");

  private static final Pattern ITEM_ENDS = Pattern.compile("\\h*[,)\\]}]");

  /** Maximum distance to a symbol and an operator. */
  private static final int NEAR = 40;

  private PlainNumbers() {}

  /** Returns all of the plain numbers from left to right, except parts of larger formulas. */
  static List<CandidateAnswer> in(String text) {
    List<CandidateAnswer> spans = new ArrayList<>();
    Matcher matcher = EXPRESSION.matcher(text);
    Matcher on = GOES_ON.matcher(text);
    Matcher end = ITEM_ENDS.matcher(text);
    while (matcher.find()) {
      String before = text.substring(Math.max(0, matcher.start() - NEAR), matcher.start());
      boolean piece =
          on.region(matcher.end(), text.length()).lookingAt()
              || (mayGoOn(before) && GOES_BEFORE.matcher(before).find())
              || (end.region(matcher.end(), text.length()).lookingAt()
                  && ITEMS_BEFORE.matcher(before).find());
      if (!piece) {
        String found = matcher.group().strip();
        spans.add(
            new CandidateAnswer(matcher.start(), matcher.end(), found, CandidateAnswer.Kind.PLAIN));
      }
    }
    return spans;
  }

  /** Returns whether a formula could continue before {@code before}'s end. */
  private static boolean mayGoOn(String before) {
    String text = before.stripTrailing();
    char last = text.isEmpty() ? '.' : text.charAt(text.length() - 1);
    return "-+*/^_·×<>≤≥≠=}".indexOf(last) >= 0 || before.indexOf('\\') >= 0;
  }

  /**
   * Converts the expression to LaTeX: without separators and currency, with times for x and decimal
   * points.
   */
  static String latex(String expression) {
    if (DIGITS_ALONE.matcher(expression).matches()) {
      return expression;
    }
    Matcher matcher = EXPRESSION.matcher(expression);
    if (matcher.matches() && matcher.group("mixed") != null) {
      return matcher.group("mixed").replaceFirst(" (\\d+)/(\\d+)", "\\\\frac{$1}{$2}");
    }
    if (matcher.matches() && matcher.group("power") != null) {
      return matcher.group("power").replaceFirst("[eE]\\+?(-?\\d+)", "\\\\cdot 10^{$1}");
    }
    boolean counted = matcher.matches() && matcher.group("unit") != null;
    String amount = counted ? expression.substring(0, matcher.start("unit")) : expression;
    String plain =
        THOUSANDS
            .matcher(amount)
            .replaceAll("")
            .replace(',', '.')
            .replace("x", "*")
            .replace("**", "^");
    return POWER.matcher(plain).replaceAll("^{$1}");
  }
}

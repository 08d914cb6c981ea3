package roll.grader.math_verify.compare;

import java.util.List;
import java.util.regex.Pattern;

/** Normalizes LaTeX to the syntax of the parser, without changing its meaning. */
final class LatexNormalizer {
  /** A replacement that only applies to texts with one of {@code needs}. */
  private record Rule(Pattern found, String instead, List<String> needs) {
    static Rule of(String found, String instead, String... needs) {
      return new Rule(Pattern.compile(found), instead, List.of(needs));
    }

    String applied(String text) {
      return mayApply(text) ? found.matcher(text).replaceAll(instead) : text;
    }

    private boolean mayApply(String text) {
      for (String needed : needs) {
        if (text.contains(needed)) {
          return true;
        }
      }
      return needs.isEmpty();
    }
  }

  /** Replacements of characters beyond ASCII in a formula. */
  private static final List<Rule> CHARACTERS =
      List.of(
          Rule.of("[−–]", "-"),
          Rule.of("[×]", "\\\\times "),
          Rule.of("[÷]", "\\\\div "),
          Rule.of("[·⋅]", "\\\\cdot "),
          Rule.of("√", "\\\\sqrt "),
          Rule.of("π", "\\\\pi "),
          Rule.of("∞", "\\\\infty "),
          Rule.of("≤", "\\\\le "),
          Rule.of("≥", "\\\\ge "),
          Rule.of("≠", "\\\\ne "),
          Rule.of("[≈≃≅]", "\\\\approx "),
          Rule.of("±", "\\\\pm "),
          Rule.of("∪", "\\\\cup "),
          Rule.of("∩", "\\\\cap "),
          Rule.of("∈", "\\\\in "),
          Rule.of("∅", "\\\\emptyset "),
          Rule.of("²", "^2"),
          Rule.of("³", "^3"));

  private static final Pattern PLAIN = Pattern.compile("[-+]?\\d++(?:\\.\\d++)?+(?:/\\d++)?+");

  private static final List<Rule> RULES =
      List.of(
          Rule.of(
              "~=|\\\\(?:simeq|doteq|thickapprox|fallingdotseq)(?![a-zA-Z])",
              "\\\\approx ",
              "~",
              "simeq",
              "doteq",
              "approx"),
          Rule.of("\\\\[dtc]frac(?![a-zA-Z])", "\\\\frac", "cfrac", "dfrac", "tfrac"),
          Rule.of(
              "\\\\(?:left|right|middle|[bB]igg?[lrm]?)(?![a-zA-Z])\\s*\\.?",
              "",
              "left",
              "right",
              "middle",
              "ig"),
          Rule.of(
              "\\\\(?:displaystyle|textstyle|limits|nolimits|rm|bf|it|mathstrut)(?![a-zA-Z])",
              " ",
              "style",
              "limits",
              "\\rm",
              "\\bf",
              "\\it",
              "strut"),
          Rule.of("(?<=\\d)\\s?\\{\\s?,\\s?\\}\\s?(?=\\d)", "{,}", ","),
          Rule.of("(?<![\\d,}])0\\{,\\}(?=\\d)", "0.", "{,}"),
          Rule.of("(?<=\\d)\\{,\\}(?=\\d{3}(?!\\d))", "", "{,}"),
          Rule.of("(?<=\\d)\\{,\\}(?=\\d)", ".", "{,}"),
          Rule.of("\\{([-+=])\\}", "$1", "{-", "{+", "{="),
          Rule.of("(?<=\\d)\\\\[,! ;](?=\\d{3}(?!\\d))", "", "\\,", "\\!", "\\ ", "\\;"),
          Rule.of("(?<!\\\\)\\\\!\\s*", "", "\\!"),
          Rule.of(
              "(?<!\\\\)\\\\[,;:" + " ]|~|\\\\q?quad|\\\\(?:thin|med|thick)?space(?![a-zA-Z])",
              " ",
              "\\,",
              "\\;",
              "\\:",
              "\\ ",
              "~",
              "quad",
              "space"),
          Rule.of(
              "\\^\\s*(?:\\{\\s*\\\\circ\\s*\\}|\\\\circ(?![a-zA-Z]))|°|\\\\degree(?![a-zA-Z])",
              "",
              "circ",
              "°",
              "degree"),
          Rule.of(
              "\\\\(?:textbf|textit|textrm|textsf|texttt|textnormal|emph|mbox|hbox|mathrm|mathbf|mathsf"
                  + "|mathit|boldsymbol|bm|operatorname\\*?)\\s*(?=\\{)",
              "\\\\text",
              "text",
              "emph",
              "box",
              "math",
              "bold",
              "\\bm",
              "operator"),
          Rule.of("\\\\text\\s+\\{", "\\\\text{", "\\text"),
          Rule.of(
              "\\\\text\\{\\s*(?:[Pp]er"
                  + " ?cent(?:age)?|pct)\\s*\\}|\\b(?:[Pp]ercent(?:age)?|pct)\\b|\\\\%",
              "%", "ercent", "pct", "\\%"),
          Rule.of("\\\\text\\{\\s*([-+]?[\\d.,]*\\d)\\s*\\}", "$1", "\\text{"),
          Rule.of("\\\\text\\{\\s*\\(([A-Za-z])\\)\\s*\\}", "\\\\text{$1}", "\\text{"),
          Rule.of(
              "\\\\text\\{\\s*(\\(?[A-Z]\\)?+(?:\\s*+(?:,|and|or)\\s*+\\(?+[A-Z]\\)?+)++)\\s*\\}",
              "$1",
              "\\text{"),
          Rule.of("\\\\(?:measured)?angle(?![a-zA-Z])", "", "angle"),
          Rule.of("\\\\\\\\\\s*\\[-?[\\d.]+(?:pt|em|ex|mm|cm)\\]", "\\\\\\\\", "\\\\"),
          Rule.of("\\\\math(?:bb|cal|frak)\\s*\\{?\\s*([A-Z])\\s*\\}?", "\\\\set$1 ", "\\math"),
          Rule.of(
              "\\\\\\$|\\$|[€£¥₹]|\\\\(?:pounds|euro)(?![a-zA-Z])",
              "",
              "$",
              "€",
              "£",
              "¥",
              "₹",
              "\\pounds",
              "\\euro"),
          Rule.of("\\\\(?:boxed|fbox)\\s*(?=\\{)", "", "boxed", "fbox"),
          Rule.of("(?<=[\\d}])\\s++([a-zA-Z]{3,}+(?:\\s++[a-zA-Z]++)*+)\\s*+$", "\\\\text{$1}"),
          Rule.of(
              "(?<=\\d)\\s*((?:cm|mm|km|kg|mg|ml|ft|lb|lbs|mph|kph|cents?)(?:\\^\\{?\\d\\}?)?)\\s*$",
              "\\\\text{$1}",
              "m",
              "g",
              "l",
              "t",
              "h"));

  private static final Pattern SPACES = Pattern.compile("\\s{2,}+");

  private static final Pattern THOUSANDS =
      Pattern.compile("(?<![\\d.,])[1-9]\\d{0,2}(?:,\\d{3})+(?![\\d,])");

  /** A comma that cannot separate thousands, and hardly the items of a list. */
  private static final Pattern THOUSANDTHS = Pattern.compile("(?<![\\d.,])0,(?=\\d{3}(?![\\d,]))");

  private static final Pattern SPACED =
      Pattern.compile("(?<![\\d.,])[1-9]\\d{0,2}(?: \\d{3})+(?!\\d)");

  /** Two backslashes before a name; in a matrix they may end a row. */
  private static final Pattern DOUBLED = Pattern.compile("\\\\\\\\(?=[a-zA-Z])");

  private static final Pattern ROWS = Pattern.compile("matrix|array|cases");

  /** Lines of an aligned formula; one that begins with a sign continues the last. */
  private static final Pattern LINES =
      Pattern.compile(
          "\\\\(?:begin|end)\\s*\\{(?:align(?:ed)?|gather(?:ed)?|split|equation)\\*?\\}");

  private static final Pattern GOES_ON = Pattern.compile("\\\\\\\\\\s*(?=&?\\s*=)");

  private LatexNormalizer() {}

  /** Replaces several spaces by one, since patterns try each position of a run. */
  static String spaces(String raw) {
    for (int i = 1; i < raw.length(); i++) {
      if (raw.charAt(i) <= ' ' && raw.charAt(i - 1) <= ' ') {
        return SPACES.matcher(raw).replaceAll(" ");
      }
    }
    return raw;
  }

  /** Returns the formula in the parser's syntax, without a period at its end. */
  static String latex(String raw) {
    if (PLAIN.matcher(raw).matches()) {
      return raw;
    }
    String text = ROWS.matcher(raw).find() ? raw : DOUBLED.matcher(lines(raw)).replaceAll("\\\\");
    if (text.chars().anyMatch(c -> c > 127)) {
      text = replaced(text, CHARACTERS);
    }
    text = replaced(text, RULES);
    text = text.strip();
    while (text.endsWith(".") || text.endsWith(",") || text.endsWith(";")) {
      text = text.substring(0, text.length() - 1).strip();
    }
    text = SPACED.matcher(text).replaceAll(m -> m.group().replace(" ", ""));
    if (listed(text)) {
      return text;
    }
    text = THOUSANDS.matcher(text).replaceAll(m -> m.group().replace(",", ""));
    return THOUSANDTHS.matcher(text).replaceAll("0.");
  }

  private static String replaced(String text, List<Rule> rules) {
    String result = text;
    for (Rule rule : rules) {
      result = rule.applied(result);
    }
    return result;
  }

  private static String lines(String raw) {
    if (!LINES.matcher(raw).find()) {
      return raw;
    }
    String text = GOES_ON.matcher(LINES.matcher(raw).replaceAll("")).replaceAll(" ");
    return text.replace("\\\\", ", ").replace("&", "");
  }

  /** Returns whether commas may separate the items of a set, a tuple or an interval. */
  private static boolean listed(String text) {
    return text.indexOf('(') >= 0 || text.indexOf('[') >= 0 || text.contains("\\{");
  }
}

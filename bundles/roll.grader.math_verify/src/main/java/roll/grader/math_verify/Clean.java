package roll.grader.math_verify;

import java.util.List;
import java.util.regex.Pattern;

/** Brings LaTeX to the few spellings that the parser knows; what it means stays the same. */
final class Clean {
  private record Rule(Pattern found, String instead) {
    static Rule of(String found, String instead) {
      return new Rule(Pattern.compile(found), instead);
    }
  }

  private static final List<Rule> RULES =
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
          Rule.of("≈", "\\\\approx "),
          Rule.of("±", "\\\\pm "),
          Rule.of("∪", "\\\\cup "),
          Rule.of("∩", "\\\\cap "),
          Rule.of("∈", "\\\\in "),
          Rule.of("∅", "\\\\emptyset "),
          Rule.of("²", "^2"),
          Rule.of("³", "^3"),
          Rule.of("\\\\[dtc]frac(?![a-zA-Z])", "\\\\frac"),
          Rule.of("\\\\(?:left|right|middle|[bB]igg?[lrm]?)(?![a-zA-Z])\\s*\\.?", ""),
          Rule.of(
              "\\\\(?:displaystyle|textstyle|limits|nolimits|rm|bf|it|mathstrut)(?![a-zA-Z])", " "),
          Rule.of("(?<=\\d)\\{,\\}(?=\\d{3})", ""),
          Rule.of("(?<=\\d)\\\\[,! ;](?=\\d{3}(?!\\d))", ""),
          Rule.of("(?<!\\\\)\\\\!", ""),
          Rule.of(
              "(?<!\\\\)\\\\[,;:"
                  + " ]|~|\\\\q?quad(?![a-zA-Z])|\\\\(?:thin|med|thick)?space(?![a-zA-Z])",
              " "),
          Rule.of(
              "\\^\\s*(?:\\{\\s*\\\\circ\\s*\\}|\\\\circ(?![a-zA-Z]))|°|\\\\degree(?![a-zA-Z])",
              ""),
          Rule.of(
              "\\\\(?:textbf|textit|textrm|textsf|texttt|textnormal|emph|mbox|hbox|mathrm|mathbf|mathsf"
                  + "|mathit|boldsymbol|bm|operatorname\\*?)\\s*(?=\\{)",
              "\\\\text"),
          Rule.of("\\\\text\\s+\\{", "\\\\text{"),
          Rule.of("\\\\text\\{\\s*(?:percent|per cent)\\s*\\}|\\bpercent\\b|\\\\%", "%"),
          Rule.of("\\\\math(?:bb|cal|frak)\\s*\\{?\\s*([A-Z])\\s*\\}?", "\\\\set$1 "),
          Rule.of("\\\\\\$|\\$|€|£|\\\\(?:pounds|euro)(?![a-zA-Z])", ""),
          Rule.of("\\\\(?:boxed|fbox)\\s*(?=\\{)", ""),
          Rule.of("(?<=[\\d}])\\s+([a-zA-Z]{3,}(?:\\s+[a-zA-Z]+)*)\\s*$", "\\\\text{$1}"),
          Rule.of(
              "(?<=\\d)\\s*((?:cm|mm|km|kg|mg|ml|ft|lb|lbs|mph|kph|cents?)(?:\\^\\{?\\d\\}?)?)\\s*$",
              "\\\\text{$1}"));

  private static final Pattern THOUSANDS =
      Pattern.compile("(?<![\\d.,])\\d{1,3}(?:,\\d{3})+(?![\\d,])");

  private Clean() {}

  /** The same formula in the parser's spelling, without a full stop at its end. */
  static String latex(String raw) {
    String text = raw;
    for (Rule rule : RULES) {
      text = rule.found().matcher(text).replaceAll(rule.instead());
    }
    text = text.strip();
    while (text.endsWith(".") || text.endsWith(",") || text.endsWith(";")) {
      text = text.substring(0, text.length() - 1).strip();
    }
    return listed(text)
        ? text
        : THOUSANDS.matcher(text).replaceAll(m -> m.group().replace(",", ""));
  }

  /** Whether commas may separate the items of a set, a tuple or an interval. */
  private static boolean listed(String text) {
    return text.indexOf('(') >= 0 || text.indexOf('[') >= 0 || text.contains("\\{");
  }
}

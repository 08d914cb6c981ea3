package roll.grader.math_verify.extract;

import java.util.List;
import java.util.regex.Pattern;
import roll.grader.math_verify.compare.LatexLexer;

/** Finds formulas between one or two dollar signs, and distinguishes them from amounts of money. */
final class DollarFormulas {
  /** A word of a sentence, which does not occur in a formula that begins with a number. */
  private static final Pattern WORD = Pattern.compile("(?<![\\\\\\w{])[A-Za-z]{2,}");

  /** Text between the signs of two amounts, as in "$5-$7". */
  private static final Pattern BETWEEN = Pattern.compile("\\s*[\\d.,]+\\s*[-–/,;+]?\\s*");

  private DollarFormulas() {}

  /** Adds the formulas between dollar signs from left to right. */
  static void add(String text, List<CandidateAnswer> spans) {
    int start = text.indexOf('$');
    while (start >= 0) {
      int width = text.startsWith("$$", start) ? 2 : 1;
      boolean opens = start == 0 || !printed(text.charAt(start - 1), width);
      int end = !opens ? -1 : width == 2 ? text.indexOf("$$", start + 2) : single(text, start);
      if (end > 0) {
        LatexFormulas.add(text, start + width, end, width, spans);
      }
      start = text.indexOf('$', end > 0 ? end + width : start + width);
    }
  }

  /** Returns whether a sign after {@code before} is that of an amount or escaped. */
  private static boolean printed(char before, int width) {
    return before == '\\' || (width == 1 && Character.isDigit(before));
  }

  /** Returns the sign that closes the one at {@code start}; −1 without one. */
  private static int single(String text, int start) {
    int end = text.indexOf('$', start + 1);
    while (end > 0 && text.charAt(end - 1) == '\\') {
      end = text.indexOf('$', end + 1);
    }
    if (end < 0 || end - start > LatexLexer.LONGEST) {
      return -1;
    }
    String inner = text.substring(start + 1, end);
    return money(inner, text, end) || inner.contains("\n\n") ? -1 : end;
  }

  /** Returns whether the sign at {@code end} and the one before {@code inner} belong to amounts. */
  private static boolean money(String inner, String text, int end) {
    if (end + 1 < text.length() && Character.isDigit(text.charAt(end + 1))) {
      return true;
    }
    String amount = inner.strip();
    boolean opens = !amount.isEmpty() && Character.isDigit(amount.charAt(0));
    boolean before = Character.isWhitespace(inner.charAt(inner.length() - 1));
    boolean spaced = Character.isWhitespace(inner.charAt(0));
    boolean next = amountFollows(text, end + 1);
    return opens
        && ((before && WORD.matcher(inner).find())
            || (next && (before || spaced) && BETWEEN.matcher(inner).matches()));
  }

  private static boolean amountFollows(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
    return at < text.length() && Character.isDigit(text.charAt(at));
  }
}

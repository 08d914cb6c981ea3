package roll.grader.math_verify.extract;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import roll.grader.math_verify.compare.PercentSign;

/** Finds LaTeX environments in a text, and formulas outside them. */
final class LatexFormulas {
  private static final Pattern BRACKETS =
      Pattern.compile("(?<![^\\s])\\[ ([^\\[\\]\\n]{1,500}) \\]");
  private static final Pattern JOINS = Pattern.compile("\\s*(?:,\\s*)?(?:(?:and|or)\\s*)?");

  /** Maximum number of environments joined to one answer. */
  private static final int JOINED = 6;

  private LatexFormulas() {}

  /** Returns the environments by start; those separated by a comma, and, or are joined. */
  static List<CandidateAnswer> environments(String text) {
    List<CandidateAnswer> spans = new ArrayList<>();
    DollarFormulas.add(text, spans);
    enclosed(text, "\\[", "\\]", spans);
    enclosed(text, "\\(", "\\)", spans);
    Matcher matcher = BRACKETS.matcher(text);
    while (matcher.find()) {
      add(text, matcher.start(1), matcher.end(1), 2, spans);
    }
    spans.sort(
        Comparator.comparingInt(CandidateAnswer::start)
            .thenComparing(CandidateAnswer::end, Comparator.reverseOrder()));
    return joined(text, outermost(spans));
  }

  /** Removes environments inside others, since a dollar inside brackets opens none. */
  private static List<CandidateAnswer> outermost(List<CandidateAnswer> spans) {
    List<CandidateAnswer> outermost = new ArrayList<>();
    int end = 0;
    for (CandidateAnswer span : spans) {
      if (span.start() >= end) {
        outermost.add(span);
        end = span.end();
      }
    }
    return outermost;
  }

  private static void enclosed(
      String text, String open, String close, List<CandidateAnswer> spans) {
    int start = text.indexOf(open);
    while (start >= 0) {
      int end = text.indexOf(close, start + open.length());
      if (end < 0) {
        return;
      }
      boolean escaped = start > 0 && text.charAt(start - 1) == '\\';
      if (escaped) {
        start = text.indexOf(open, start + open.length());
        continue;
      }
      add(text, start + open.length(), end, open.length(), spans);
      start = text.indexOf(open, end + close.length());
    }
  }

  /**
   * Adds the content of {@code [from, to)} between delimiters of {@code width} characters; only its
   * box, if any, and with a percent sign after it.
   */
  static void add(String text, int from, int to, int width, List<CandidateAnswer> spans) {
    String content = text.substring(from, to).strip();
    if (content.isEmpty()) {
      return;
    }
    int end = to + width;
    int percent = PercentSign.end(text, end);
    String inner = BoxedAnswers.content(content);
    spans.add(
        new CandidateAnswer(
            from - width,
            Math.max(end, percent),
            PercentSign.of(inner, percent > 0),
            inner.equals(content) ? CandidateAnswer.Kind.LATEX : CandidateAnswer.Kind.BOX));
  }

  private static List<CandidateAnswer> joined(String text, List<CandidateAnswer> spans) {
    List<CandidateAnswer> joined = new ArrayList<>();
    int members = 0;
    for (CandidateAnswer span : spans) {
      CandidateAnswer last = joined.isEmpty() ? null : joined.getLast();
      boolean follows = last != null && last.end() < span.start() && members < JOINED;
      String gap = follows && last != null ? text.substring(last.end(), span.start()) : "";
      if (last != null && !gap.isBlank() && gap.length() < 12 && JOINS.matcher(gap).matches()) {
        joined.removeLast();
        joined.add(
            new CandidateAnswer(
                last.start(), span.end(), last.content() + ", " + span.content(), last.kind()));
        members++;
      } else {
        joined.add(span);
        members = 1;
      }
    }
    return joined;
  }
}

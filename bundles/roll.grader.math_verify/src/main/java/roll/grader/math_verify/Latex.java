package roll.grader.math_verify;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds LaTeX environments in a text, and fractions outside of them. */
final class Latex {
  private static final Pattern FRACTION =
      Pattern.compile("-?\\\\[dtc]?frac\\s*+\\{[^{}]{1,50}+\\}\\s*+\\{[^{}]{1,50}+\\}");
  private static final Pattern BRACKETS =
      Pattern.compile("(?<![^\\s])\\[ ([^\\[\\]\\n]{1,500}) \\]");
  private static final Pattern JOINS = Pattern.compile("\\s*(?:,\\s*)?(?:(?:and|or)\\s*)?");

  /** As many environments may make one answer. */
  private static final int JOINED = 6;

  private Latex() {}

  /** All of them by their starts; those with nothing but a comma, and, or between them as one. */
  static List<Span> in(String text) {
    List<Span> spans = new ArrayList<>();
    dollars(text, spans);
    enclosed(text, "\\[", "\\]", spans);
    enclosed(text, "\\(", "\\)", spans);
    matches(text, BRACKETS, 1, spans);
    spans.sort(Comparator.comparingInt(Span::start));
    List<Span> all = new ArrayList<>(joined(text, spans));
    matches(text, FRACTION, 0, all);
    all.sort(Comparator.comparingInt(Span::start));
    return all;
  }

  private static void matches(String text, Pattern pattern, int group, List<Span> spans) {
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      spans.add(new Span(matcher.start(), matcher.end(), matcher.group(group), Span.Kind.LATEX));
    }
  }

  private static void enclosed(String text, String open, String close, List<Span> spans) {
    int start = text.indexOf(open);
    while (start >= 0) {
      int end = text.indexOf(close, start + open.length());
      if (end < 0) {
        return;
      }
      add(text, start, end, open.length(), spans);
      start = text.indexOf(open, end + close.length());
    }
  }

  /** Between one or two dollar signs; a single one is none before a space, nor one of money. */
  private static void dollars(String text, List<Span> spans) {
    int start = text.indexOf('$');
    while (start >= 0) {
      boolean two = text.startsWith("$$", start);
      boolean escaped = start > 0 && text.charAt(start - 1) == '\\';
      int end = escaped ? -1 : two ? text.indexOf("$$", start + 2) : single(text, start);
      if (end > 0) {
        add(text, start, end, two ? 2 : 1, spans);
      }
      start = text.indexOf('$', end > 0 ? end + (two ? 2 : 1) : start + (two ? 2 : 1));
    }
  }

  private static int single(String text, int start) {
    int end = text.indexOf('$', start + 1);
    while (end > 0 && text.charAt(end - 1) == '\\') {
      end = text.indexOf('$', end + 1);
    }
    boolean opens = start + 1 < text.length() && !Character.isWhitespace(text.charAt(start + 1));
    if (end < 0 || !opens || end - start > Lexer.LONGEST) {
      return -1;
    }
    boolean closes = !Character.isWhitespace(text.charAt(end - 1));
    boolean money = end + 1 < text.length() && Character.isDigit(text.charAt(end + 1));
    return closes && !money ? end : -1;
  }

  private static void add(String text, int start, int end, int width, List<Span> spans) {
    String content = text.substring(start + width, end).strip();
    if (!content.isEmpty()) {
      spans.add(new Span(start, end + width, content, Span.Kind.LATEX));
    }
  }

  private static List<Span> joined(String text, List<Span> spans) {
    List<Span> joined = new ArrayList<>();
    int members = 0;
    for (Span span : spans) {
      Span last = joined.isEmpty() ? null : joined.getLast();
      boolean follows = last != null && last.end() < span.start() && members < JOINED;
      String gap = follows && last != null ? text.substring(last.end(), span.start()) : "";
      if (last != null && !gap.isBlank() && gap.length() < 12 && JOINS.matcher(gap).matches()) {
        joined.removeLast();
        joined.add(
            new Span(
                last.start(), span.end(), last.content() + ", " + span.content(), Span.Kind.LATEX));
        members++;
      } else {
        joined.add(span);
        members = 1;
      }
    }
    return joined;
  }
}

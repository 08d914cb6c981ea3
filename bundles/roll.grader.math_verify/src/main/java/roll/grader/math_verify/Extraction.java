package roll.grader.math_verify;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where in a response its answer may be, the likeliest place first: by priority, and within one the
 * rightmost first.
 */
final class Extraction {
  private static final int HOPE = 0;
  private static final int FINAL = 50;
  private static final int COLON = 100;
  private static final int ANSWER = 200;
  private static final int LINE = 250;
  private static final int ANYWHERE = 300;

  /** Of longer responses only the end is read. */
  private static final int LONGEST = 100_000;

  private static final Pattern FINAL_ANSWER = Pattern.compile("(?i)final answer");
  private static final Pattern IS = Pattern.compile("(?is).{0,100}\\bis:?\\s*");
  private static final Pattern HOPES = Pattern.compile("\\s*\\.?\\s?I hope");
  private static final Pattern ANSWERED = Pattern.compile("(?i)answer(?<colon>:)?");
  private static final Pattern LETTERS = Pattern.compile("(?<![\\w'])[A-D](?![\\w'])");
  private static final Pattern EQUALS = Pattern.compile("\\s*+=");
  private static final int GAP = 50;
  private static final int EQUATION_GAP = 100;

  private final boolean letters;

  /**
   * Places of numbers and LaTeX.
   *
   * @param letters whether the letters A to D are answers too
   */
  Extraction(boolean letters) {
    this.letters = letters;
  }

  private record Candidate(int priority, Span span) {}

  /** Of a known answer: LaTeX alone, and all of it where it has no environment. */
  List<Span> gold(String gold) {
    if (letters && LETTERS.matcher(gold.strip()).matches()) {
      return List.of(new Span(0, gold.length(), gold.strip(), Span.Kind.LETTER));
    }
    List<Span> environments =
        Latex.in(gold).stream().filter(s -> s.end() - s.start() > s.content().length()).toList();
    List<Span> boxes = Boxes.in(gold);
    if (environments.isEmpty() && boxes.isEmpty()) {
      return List.of(new Span(0, gold.length(), gold.strip(), Span.Kind.LATEX));
    }
    List<Candidate> candidates = new ArrayList<>();
    anchored(gold, environments, candidates);
    boxes.forEach(box -> candidates.add(new Candidate(FINAL, box)));
    return sorted(candidates);
  }

  /** Of a response. */
  List<Span> response(String response) {
    int cut = Math.max(0, response.length() - LONGEST);
    String text = response.substring(cut);
    List<Candidate> candidates = new ArrayList<>();
    Boxes.in(text).forEach(box -> candidates.add(new Candidate(FINAL, box)));
    anchored(text, Latex.in(text), candidates);
    anchored(text, Plain.in(text), candidates);
    if (letters) {
      anchored(text, letters(text), candidates);
    }
    return sorted(candidates);
  }

  private static List<Span> sorted(List<Candidate> candidates) {
    return candidates.stream()
        .sorted(
            Comparator.comparingInt(Candidate::priority)
                .thenComparing(c -> c.span().end(), Comparator.reverseOrder())
                .thenComparing(c -> c.span().start()))
        .map(Candidate::span)
        .toList();
  }

  private static List<Span> letters(String text) {
    List<Span> spans = new ArrayList<>();
    Matcher letter = LETTERS.matcher(text);
    while (letter.find()) {
      spans.add(new Span(letter.start(), letter.end(), letter.group(), Span.Kind.LETTER));
    }
    return spans;
  }

  /** Adds {@code spans}, which are in the order of their starts, with what stands before them. */
  private static void anchored(String text, List<Span> spans, List<Candidate> candidates) {
    for (Span span : spans) {
      boolean line = span.kind() == Span.Kind.LETTER && startsLine(text, span.start());
      candidates.add(new Candidate(line ? LINE : ANYWHERE, span));
    }
    Matcher anchor = FINAL_ANSWER.matcher(text);
    while (anchor.find()) {
      addFinal(text, anchor.end(), spans, candidates);
    }
    Matcher answer = ANSWERED.matcher(text);
    while (answer.find()) {
      int priority = answer.group("colon") == null ? ANSWER : COLON;
      addAnswer(text, answer.end(), priority, spans, candidates);
    }
  }

  private static void addFinal(
      String text, int from, List<Span> spans, List<Candidate> candidates) {
    for (int i = first(spans, from); i < spans.size(); i++) {
      Span span = spans.get(i);
      if (span.start() - from > EQUATION_GAP + 5) {
        return;
      }
      if (IS.matcher(text.substring(from, span.start())).matches()) {
        Matcher hopes = HOPES.matcher(text).region(span.end(), text.length());
        boolean directly = text.substring(from, span.start()).strip().startsWith("is");
        candidates.add(new Candidate(directly && hopes.lookingAt() ? HOPE : FINAL, span));
        return;
      }
    }
  }

  /** The last one behind an equals sign on the line, or else the first one. */
  private static void addAnswer(
      String text, int from, int priority, List<Span> spans, List<Candidate> candidates) {
    Span chosen = null;
    for (int i = first(spans, from); i < spans.size(); i++) {
      Span span = spans.get(i);
      if (span.start() - from > EQUATION_GAP) {
        break;
      }
      String gap = text.substring(from, span.start());
      boolean ends = !EQUALS.matcher(text).region(span.end(), text.length()).lookingAt();
      if (ends && gap.stripTrailing().endsWith("=") && gap.strip().indexOf('\n') < 0) {
        chosen = span;
      } else if (ends && chosen == null && gap.length() <= GAP) {
        chosen = span;
      }
    }
    if (chosen != null) {
      candidates.add(new Candidate(priority, chosen));
    }
  }

  private static boolean startsLine(String text, int at) {
    return at == 0 || text.charAt(at - 1) == '\n';
  }

  /** Index of the first span that starts at or behind {@code from}. */
  private static int first(List<Span> spans, int from) {
    int low = 0;
    int high = spans.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (spans.get(middle).start() < from) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

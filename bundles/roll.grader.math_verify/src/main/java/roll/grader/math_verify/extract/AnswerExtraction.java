package roll.grader.math_verify.extract;

import static java.util.stream.Collectors.joining;
import static roll.grader.math_verify.compare.ComparisonSettings.Target.EXPR;
import static roll.grader.math_verify.compare.ComparisonSettings.Target.LATEX;
import static roll.grader.math_verify.compare.ComparisonSettings.Target.STRING;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import roll.grader.math_verify.compare.ComparisonSettings;

/** Finds the candidate answers of a response by priority, and within one the rightmost first. */
public final class AnswerExtraction {
  private static final int HOPE = 0;
  private static final int FINAL = 50;
  private static final int COLON = 100;
  private static final int ANSWER = 200;
  private static final int LINE = 250;
  private static final int ANYWHERE = 300;

  /** Maximum number of final characters of a response. */
  private static final int LONGEST = 100_000;

  private static final Pattern FINAL_ANSWER = Pattern.compile("(?i)final answer");
  private static final Pattern IS = Pattern.compile("(?is).{0,100}\\bis:?\\s*");
  private static final Pattern HOPES = Pattern.compile("\\s*\\.?\\s?I hope");
  private static final Pattern ANSWERED = Pattern.compile("(?i)answer(?<colon>:)?");
  private static final Pattern EQUALS = Pattern.compile("\\s*+=");
  private static final int GAP = 50;
  private static final int EQUATION_GAP = 100;

  private final ComparisonSettings settings;
  private final Pattern strings;

  /** Creates the extraction with {@code settings}. */
  public AnswerExtraction(ComparisonSettings settings) {
    this.settings = settings;
    this.strings =
        Pattern.compile(
            settings.strings().stream()
                .map(Pattern::quote)
                .collect(joining("|", "(?<![\\w'’])(?:", ")(?![\\w'’])")));
  }

  private record Candidate(int priority, CandidateAnswer span) {}

  /**
   * Returns the candidates of a known answer: its LaTeX, or all of it without an environment;
   * without target latex like a response.
   */
  public List<CandidateAnswer> gold(String gold) {
    if (settings.reads(STRING) && strings.matcher(gold.strip()).matches()) {
      return List.of(
          new CandidateAnswer(0, gold.length(), gold.strip(), CandidateAnswer.Kind.STRING));
    }
    List<CandidateAnswer> plain = settings.reads(LATEX) ? List.of() : response(gold);
    if (!plain.isEmpty()) {
      return plain;
    }
    List<CandidateAnswer> environments = LatexFormulas.environments(gold);
    if (environments.isEmpty() && BoxedAnswers.in(gold).isEmpty()) {
      return List.of(
          new CandidateAnswer(0, gold.length(), gold.strip(), CandidateAnswer.Kind.LATEX));
    }
    List<Candidate> candidates = new ArrayList<>();
    anchored(gold, environments, List.of(), candidates);
    addBoxes(gold, candidates);
    return sorted(candidates);
  }

  private void addBoxes(String text, List<Candidate> candidates) {
    if (settings.boxedMatchPriority() >= 0) {
      BoxedAnswers.in(text)
          .forEach(b -> candidates.add(new Candidate(settings.boxedMatchPriority(), b)));
    }
  }

  /** Returns the candidates of a response. */
  public List<CandidateAnswer> response(String response) {
    int cut = Math.max(0, response.length() - LONGEST);
    String text = response.substring(cut);
    List<Candidate> candidates = new ArrayList<>();
    List<CandidateAnswer> formulas = formulas(text);
    if (settings.reads(LATEX)) {
      addBoxes(text, candidates);
      anchored(text, formulas, List.of(), candidates);
    }
    if (settings.reads(EXPR)) {
      List<CandidateAnswer> nearer = settings.reads(LATEX) ? formulas : List.of();
      anchored(text, outside(PlainNumbers.in(text), formulas), nearer, candidates);
    }
    if (settings.reads(STRING)) {
      anchored(text, strings(text), List.of(), candidates);
    }
    return sorted(candidates);
  }

  /** Returns environments and formulas outside them, by start. */
  private static List<CandidateAnswer> formulas(String text) {
    List<CandidateAnswer> formulas = new ArrayList<>(LatexFormulas.environments(text));
    formulas.addAll(BareFormulas.in(text, formulas));
    formulas.sort(Comparator.comparingInt(CandidateAnswer::start));
    return formulas;
  }

  /** Returns {@code numbers} that are not part of {@code formulas}. */
  private static List<CandidateAnswer> outside(
      List<CandidateAnswer> numbers, List<CandidateAnswer> formulas) {
    List<CandidateAnswer> outside = new ArrayList<>();
    int next = 0;
    for (CandidateAnswer number : numbers) {
      while (next < formulas.size() && formulas.get(next).end() <= number.start()) {
        next++;
      }
      if (next == formulas.size() || formulas.get(next).start() >= number.end()) {
        outside.add(number);
      }
    }
    return outside;
  }

  private static List<CandidateAnswer> sorted(List<Candidate> candidates) {
    return candidates.stream()
        .sorted(
            Comparator.comparingInt(Candidate::priority)
                .thenComparing(c -> c.span().end(), Comparator.reverseOrder())
                .thenComparing(c -> c.span().start()))
        .map(Candidate::span)
        .toList();
  }

  private List<CandidateAnswer> strings(String text) {
    List<CandidateAnswer> spans = new ArrayList<>();
    Matcher string = strings.matcher(text);
    while (string.find()) {
      spans.add(
          new CandidateAnswer(
              string.start(), string.end(), string.group(), CandidateAnswer.Kind.STRING));
    }
    return spans;
  }

  /**
   * Adds {@code spans}, ordered by start, with the priority of the words before them.
   *
   * @param nearer formulas, after which no answer is searched
   */
  private static void anchored(
      String text,
      List<CandidateAnswer> spans,
      List<CandidateAnswer> nearer,
      List<Candidate> candidates) {
    for (CandidateAnswer span : spans) {
      boolean line = span.kind() == CandidateAnswer.Kind.STRING && startsLine(text, span.start());
      candidates.add(new Candidate(line ? LINE : ANYWHERE, span));
    }
    Matcher anchor = FINAL_ANSWER.matcher(text);
    while (anchor.find()) {
      addFinal(text, anchor.end(), spans, candidates);
    }
    Matcher answer = ANSWERED.matcher(text);
    while (answer.find()) {
      int priority = answer.group("colon") == null ? ANSWER : COLON;
      addAnswer(text, answer.end(), priority, spans, nearer, candidates);
    }
  }

  private static void addFinal(
      String text, int from, List<CandidateAnswer> spans, List<Candidate> candidates) {
    for (int i = first(spans, from); i < spans.size(); i++) {
      CandidateAnswer span = spans.get(i);
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

  /** Adds the last candidate after an equals sign on the line, otherwise the first one. */
  private static void addAnswer(
      String text,
      int from,
      int priority,
      List<CandidateAnswer> spans,
      List<CandidateAnswer> nearer,
      List<Candidate> candidates) {
    int next = first(nearer, from);
    int nearest = next < nearer.size() ? nearer.get(next).start() : text.length();
    CandidateAnswer chosen = null;
    for (int i = first(spans, from); i < spans.size(); i++) {
      CandidateAnswer span = spans.get(i);
      if (span.start() - from > EQUATION_GAP) {
        break;
      }
      String gap = text.substring(from, span.start());
      boolean ends = !EQUALS.matcher(text).region(span.end(), text.length()).lookingAt();
      if (ends && gap.stripTrailing().endsWith("=") && gap.strip().indexOf('\n') < 0) {
        chosen = span;
      } else if (ends && chosen == null && gap.length() <= GAP && span.start() < nearest) {
        chosen = span;
      }
    }
    if (chosen != null) {
      candidates.add(new Candidate(priority, chosen));
    }
  }

  private static boolean startsLine(String text, int at) {
    int line = text.lastIndexOf('\n', at - 1) + 1;
    return text.substring(line, at).replace("*", "").isEmpty();
  }

  /** Returns the index of the first span that starts at or after {@code from}. */
  private static int first(List<CandidateAnswer> spans, int from) {
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

package roll.grader.math_verify.extract;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds formulas outside environments, from their first token to the last. */
final class BareFormulas {
  private static final Pattern COMMAND = Pattern.compile("\\\\(?:[dtc]?frac|sqrt|pi)(?![A-Za-z])");
  private static final Pattern PIECE = Pattern.compile("[^\\h\\n]+");

  /** A word of a formula: with a command, an operator, a number or a single letter. */
  private static final Pattern FORMULA =
      Pattern.compile(
          "\\S*\\\\[A-Za-z]\\S*|[-+*/=^<>·×]|[-+(\\[]*\\d[\\d.,]*[)\\]]*"
              + "|[-+(\\[]*[b-zB-HJ-Z][)\\]]*");

  private static final Pattern AROUND = Pattern.compile("^[*\"'`=:]+|[*\"'`.,:;!?]+$");
  private static final int LONGEST = 400;

  private BareFormulas() {}

  /** Returns formulas with a fraction, a root or a pi outside {@code environments}. */
  static List<CandidateAnswer> in(String text, List<CandidateAnswer> environments) {
    List<CandidateAnswer> spans = new ArrayList<>();
    if (!COMMAND.matcher(text).find()) {
      return spans;
    }
    int from = 0;
    for (CandidateAnswer environment : environments) {
      if (environment.start() > from) {
        between(text, from, environment.start(), spans);
      }
      from = Math.max(from, environment.end());
    }
    between(text, from, text.length(), spans);
    return spans;
  }

  private static void between(String text, int from, int to, List<CandidateAnswer> spans) {
    Matcher piece = PIECE.matcher(text).region(from, to);
    int start = -1;
    int end = -1;
    int open = 0;
    boolean line = false;
    while (piece.find()) {
      String word = piece.group();
      line = end >= 0 && text.substring(end, piece.start()).indexOf('\n') >= 0;
      boolean goesOn = open > 0 || FORMULA.matcher(word).matches();
      if (start >= 0 && (line || !goesOn)) {
        add(text, start, end, spans);
        start = -1;
        open = 0;
      }
      if (start >= 0 || FORMULA.matcher(word).matches()) {
        start = start < 0 ? piece.start() : start;
        end = piece.end();
        open += braces(word);
      }
    }
    if (start >= 0) {
      add(text, start, end, spans);
    }
  }

  private static int braces(String word) {
    return (int)
        (word.chars().filter(c -> c == '{').count() - word.chars().filter(c -> c == '}').count());
  }

  private static void add(String text, int start, int end, List<CandidateAnswer> spans) {
    String formula = text.substring(start, end);
    Matcher command = COMMAND.matcher(formula);
    if (formula.length() <= LONGEST && command.find() && !formula.contains("\\boxed")) {
      String content = AROUND.matcher(formula).replaceAll("").strip();
      spans.add(new CandidateAnswer(start, end, content, CandidateAnswer.Kind.LATEX));
    }
  }
}

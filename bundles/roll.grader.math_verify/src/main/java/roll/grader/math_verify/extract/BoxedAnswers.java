package roll.grader.math_verify.extract;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import roll.grader.math_verify.compare.LatexLexer;
import roll.grader.math_verify.compare.PercentSign;

/** Finds {@code \boxed{…}} and {@code \fbox{…}}. */
final class BoxedAnswers {
  private static final Pattern BOX = Pattern.compile("\\\\(?:boxed|fbox)\\s*\\{");
  private static final Pattern JOINS = Pattern.compile("(?i)\\b(?:and|or)\\b|,");

  /** Text allowed between a box and its percent sign. */
  private static final Pattern CLOSES =
      Pattern.compile("\\*{0,2}(?:\\$\\$?|\\\\\\]|\\\\\\))?\\*{0,2}");

  private static final int CLOSE = 10;
  private static final int NEAR = 70;

  private BoxedAnswers() {}

  /** Returns the boxes of {@code text} in order; neighbors with different contents are joined. */
  static List<CandidateAnswer> in(String text) {
    List<CandidateAnswer> boxes = new ArrayList<>();
    Matcher box = BOX.matcher(text);
    int from = 0;
    while (box.find(from)) {
      int end = end(text, box.end());
      if (end < 0) {
        break;
      }
      String content = content(text.substring(box.end(), end - 1).strip());
      Matcher closes = CLOSES.matcher(text).region(end, text.length());
      int percent = PercentSign.end(text, closes.lookingAt() ? closes.end() : end);
      add(
          boxes,
          new CandidateAnswer(
              box.start(), end, PercentSign.of(content, percent > 0), CandidateAnswer.Kind.BOX),
          text);
      from = end;
    }
    return boxes;
  }

  /**
   * Returns the content of the last box of {@code formula} with its neighbors; the whole formula
   * without a box.
   */
  static String content(String formula) {
    boolean none = !formula.contains("\\boxed") && !formula.contains("\\fbox");
    if (none || formula.length() > LatexLexer.LONGEST) {
      return formula;
    }
    List<CandidateAnswer> boxes = in(formula);
    return boxes.isEmpty() ? formula : boxes.getLast().content();
  }

  private static void add(List<CandidateAnswer> boxes, CandidateAnswer box, String text) {
    if (box.content().isEmpty()) {
      return;
    }
    if (!boxes.isEmpty()) {
      CandidateAnswer last = boxes.getLast();
      String gap = text.substring(last.end(), box.start());
      boolean joins = gap.length() < CLOSE || (gap.length() < NEAR && JOINS.matcher(gap).find());
      if (joins && !last.content().equals(box.content())) {
        boxes.removeLast();
        boxes.add(
            new CandidateAnswer(
                last.start(),
                box.end(),
                last.content() + ", " + box.content(),
                CandidateAnswer.Kind.BOX));
        return;
      }
    }
    boxes.add(box);
  }

  /**
   * Returns the index after the brace that closes the one before {@code from}; −1 if it is missing.
   */
  private static int end(String text, int from) {
    int depth = 1;
    for (int i = from; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '\\' -> i++;
        case '{' -> depth++;
        case '}' -> depth--;
        default -> {}
      }
      if (depth == 0) {
        return i + 1;
      }
    }
    return -1;
  }
}

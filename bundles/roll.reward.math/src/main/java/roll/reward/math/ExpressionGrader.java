package roll.reward.math;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Pattern;
import roll.api.reward.AnswerGrader;

/**
 * Compares the boxes, or the whole texts, as text and as numbers, and leaves the rest to another
 * grader.
 */
record ExpressionGrader(AnswerGrader other) implements AnswerGrader {
  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,300}(?:\\.\\d{1,300})?");

  @Override
  public String description() {
    return "Equal texts or numbers after the MATH data set's normalization, else what "
        + "another grader finds equal.";
  }

  @Override
  public boolean equal(String gold, String response) {
    String known = MathText.normal(BoxedText.last(gold).orElse(gold));
    String given = MathText.normal(BoxedText.last(response).orElse(response));
    return !known.isEmpty()
        && (known.equals(given) || sameNumber(known, given) || other.equal(gold, response));
  }

  private static boolean sameNumber(String a, String b) {
    return NUMBER.matcher(a).matches()
        && NUMBER.matcher(b).matches()
        && new BigDecimal(a).compareTo(new BigDecimal(b)) == 0;
  }

  @Override
  public Optional<String> answer(String response) {
    return BoxedText.last(response).or(() -> other.answer(response));
  }
}

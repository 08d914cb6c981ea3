package roll.reward.math;

import java.util.Optional;
import roll.api.reward.AnswerGrader;

/** Compares the last number of a response with the known answer, as text. */
record NumberGrader() implements AnswerGrader {
  @Override
  public String description() {
    return "The last number is the known answer, digit by digit.";
  }

  @Override
  public boolean equal(String gold, String response) {
    String known = MathText.normal(gold);
    return answer(response).filter(number -> MathText.normal(number).equals(known)).isPresent();
  }

  @Override
  public Optional<String> answer(String response) {
    return AnswerFinder.lastNumber(response);
  }
}

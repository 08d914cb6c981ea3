package roll.reward.math;

import java.util.Optional;
import roll.api.reward.AnswerGrader;

/** A grader for tests that compares the text after the last word "is". */
record LastWordGrader() implements AnswerGrader {
  @Override
  public String description() {
    return "for tests";
  }

  @Override
  public boolean equal(String gold, String response) {
    return answer(response).filter(gold::equals).isPresent();
  }

  @Override
  public Optional<String> answer(String response) {
    int at = response.lastIndexOf("is ");
    return at < 0 ? Optional.empty() : Optional.of(response.substring(at + 3));
  }
}

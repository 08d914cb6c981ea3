package roll.reward.guideline;

import java.util.Optional;
import roll.api.reward.AnswerGrader;

/** A grader for tests that finds nothing equal. */
record NeverEqualGrader() implements AnswerGrader {
  @Override
  public String description() {
    return "for tests";
  }

  @Override
  public boolean equal(String gold, String response) {
    return false;
  }

  @Override
  public Optional<String> answer(String response) {
    return Optional.empty();
  }
}

package roll.reward.math;

import java.util.Optional;
import org.osgi.service.component.annotations.Component;
import roll.api.reward.AnswerGrader;
import roll.api.reward.RollGrader;

/** Compares answers as text normalized by {@link MathText}. */
@Component(name = "roll.reward.math.string_grader")
@RollGrader("string")
public final class StringGrader implements AnswerGrader {
  @Override
  public String description() {
    return "Equal texts after the MATH data set's normalization; nothing is computed.";
  }

  @Override
  public boolean equal(String gold, String response) {
    String known = MathText.normal(BoxedText.last(gold).orElse(gold));
    return !known.isEmpty()
        && answer(response).filter(a -> MathText.normal(a).equals(known)).isPresent();
  }

  @Override
  public Optional<String> answer(String response) {
    return AnswerFinder.in(response);
  }
}

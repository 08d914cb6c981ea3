package roll.reward.math;

import java.util.List;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.reward.AnswerGrader;
import roll.api.reward.AnswerKey;
import roll.api.reward.Reward;

/** Base of the rewards that compare texts. */
abstract class StringReward extends MathReward {
  private final AnswerGrader grader;

  StringReward(ConversationForm form, AnswerGrader grader, String description) {
    super(form, description);
    this.grader = grader;
  }

  @Override
  public final List<Option<?>> options() {
    return List.of(AnswerKey.OPTION);
  }

  @Override
  public final Reward configure(Options options) {
    return new CorrectAnswerReward(form, AnswerKey.of(options), grader);
  }
}

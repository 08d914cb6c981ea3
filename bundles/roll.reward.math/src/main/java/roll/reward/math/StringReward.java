package roll.reward.math;

import java.util.List;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.reward.AnswerGrader;
import roll.api.reward.AnswerKey;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;

/** Base of the rewards that compare texts. */
abstract class StringReward implements RewardFunction {
  private final ConversationForm form;
  private final AnswerGrader grader;
  private final String description;

  StringReward(ConversationForm form, AnswerGrader grader, String description) {
    this.form = form;
    this.grader = grader;
    this.description = description;
  }

  @Override
  public final String description() {
    return description;
  }

  @Override
  public final List<Option<?>> options() {
    return List.of(AnswerKey.OPTION);
  }

  @Override
  public final Reward configure(Options options) {
    return new CorrectAnswerReward(form, AnswerKey.of(options), grader);
  }

  @Override
  public final boolean readsConversation(Options options) {
    return form != ConversationForm.ANY;
  }

  @Override
  public final AnswerKey answerKey(Options options) {
    return AnswerKey.of(options);
  }
}

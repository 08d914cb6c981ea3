package roll.reward.math;

import roll.api.option.Options;
import roll.api.reward.AnswerKey;
import roll.api.reward.RewardFunction;

/** Base of all rewards of this bundle: a form of the conversation, and a known answer. */
abstract class MathReward implements RewardFunction {
  final ConversationForm form;
  private final String description;

  MathReward(ConversationForm form, String description) {
    this.form = form;
    this.description = description;
  }

  @Override
  public final String description() {
    return description;
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

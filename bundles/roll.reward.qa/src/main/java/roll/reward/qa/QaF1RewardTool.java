package roll.reward.qa;

import org.osgi.service.component.annotations.Component;
import roll.api.option.Options;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/** F1 of the words, if there are at least two tool results. */
@Component(name = "roll.reward.qa.qa_f1_reward_tool", service = RewardFunction.class)
@RollReward("qa_f1_reward_tool")
public final class QaF1RewardTool extends WordsReward {
  /** Creates the reward {@code QaF1RewardTool}. */
  public QaF1RewardTool() {
    super(
        "F1 of the words, 0 without two tool results",
        (match, tools) -> tools > 1 ? match.f1() : 0);
  }

  @Override
  public boolean readsConversation(Options options) {
    return true;
  }
}

package roll.reward.qa;

import org.osgi.service.component.annotations.Component;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/** F1 of the words in a response and a known answer. */
@Component(name = "roll.reward.qa.qa_f1_reward", service = RewardFunction.class)
@RollReward("qa_f1_reward")
public final class QaF1Reward extends WordsReward {
  /** Creates the reward {@code QaF1Reward}. */
  public QaF1Reward() {
    super(
        "F1 of the words of the final response and a known answer, 0 to 1",
        (match, tools) -> match.f1());
  }
}

package roll.reward.qa;

import org.osgi.service.component.annotations.Component;
import roll.api.option.Options;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/** Four fifths for the answer's F1, one fifth for at least two tool results. */
@Component(name = "roll.reward.qa.infoseek_reward", service = RewardFunction.class)
@RollReward("infoseek_reward")
public final class InfoseekReward extends WordsReward {
  /** Creates the InfoSeek reward. */
  public InfoseekReward() {
    super(
        "0.8 of the words' F1, and 0.2 for at least two tool results",
        (match, tools) -> 0.8 * match.f1() + (tools > 1 ? 0.2 : 0));
  }

  @Override
  public boolean readsConversation(Options options) {
    return true;
  }
}

package roll.reward.qa;

import org.osgi.service.component.annotations.Component;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/** Reward by the F1 of words with the closest of several known answers. */
@Component(name = "roll.reward.qa.ok_vqa_reward", service = RewardFunction.class)
@RollReward("ok_vqa_reward")
public final class OkVqaReward extends WordsReward {
  /** Creates the reward {@code OkVqaReward}. */
  public OkVqaReward() {
    super(
        "F1 of the words with the closest of several known answers, 0 to 1",
        (match, tools) -> match.f1());
  }
}

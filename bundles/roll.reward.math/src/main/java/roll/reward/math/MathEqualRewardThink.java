package roll.reward.math;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.plugin.Plugins;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/** Scores an answer equal as expression, if a tool was used and every message has a thought. */
@Component(name = "roll.reward.math.math_equal_reward_think", service = RewardFunction.class)
@RollReward("math_equal_reward_think")
public final class MathEqualRewardThink extends EqualReward {
  /** Creates the reward with the graders in {@code plugins}. */
  @Activate
  public MathEqualRewardThink(@Reference Plugins plugins) {
    super(
        plugins,
        ConversationForm.THINK,
        "1 for an equal answer with a tool and think tags, 0.1 for another, 0 without them");
  }
}

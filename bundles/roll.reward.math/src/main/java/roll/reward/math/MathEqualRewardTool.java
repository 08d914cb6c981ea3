package roll.reward.math;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.plugin.Plugins;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/** Scores an answer equal as expression, if a tool was used. */
@Component(name = "roll.reward.math.math_equal_reward_tool", service = RewardFunction.class)
@RollReward("math_equal_reward_tool")
public final class MathEqualRewardTool extends EqualReward {
  /** Creates the reward with the graders in {@code plugins}. */
  @Activate
  public MathEqualRewardTool(@Reference Plugins plugins) {
    super(
        plugins,
        ConversationForm.TOOL,
        "1 for an equal answer found with a tool, 0.1 for another, 0 without a tool");
  }
}

package roll.reward.math;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.plugin.Plugins;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/**
 * Scores an answer equal as expression, if a tool was used and every message begins with a thought.
 */
@Component(name = "roll.reward.math.math_reward_thought_with_tool", service = RewardFunction.class)
@RollReward("math_reward_thought_with_tool")
public final class MathRewardThoughtWithTool extends EqualReward {
  /** Creates the reward with the graders in {@code plugins}. */
  @Activate
  public MathRewardThoughtWithTool(@Reference Plugins plugins) {
    super(
        plugins,
        ConversationForm.THOUGHT,
        "1 for an equal answer with a tool and thoughts, 0.1 for another, 0 without them");
  }
}

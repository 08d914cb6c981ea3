package roll.reward.math;

import org.osgi.service.component.annotations.Component;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/** Scores a last number equal to the known one as text, if a tool was used. */
@Component(name = "roll.reward.math.math_string_equal_reward_tool", service = RewardFunction.class)
@RollReward("math_string_equal_reward_tool")
public final class MathStringEqualRewardTool extends StringReward {
  /** Creates the reward {@code MathStringEqualRewardTool}. */
  public MathStringEqualRewardTool() {
    super(
        ConversationForm.TOOL,
        new NumberGrader(),
        "1 if the last number is the known one, 0.1 if not, 0 without a tool");
  }
}

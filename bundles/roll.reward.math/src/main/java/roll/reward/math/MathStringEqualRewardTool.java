package roll.reward.math;

import org.osgi.service.component.annotations.Component;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/** 1 for a last number like the known one, for who uses a tool. */
@Component(name = "roll.reward.math.math_string_equal_reward_tool", service = RewardFunction.class)
@RollReward("math_string_equal_reward_tool")
public final class MathStringEqualRewardTool extends StringReward {
  /** The only one there is. */
  public MathStringEqualRewardTool() {
    super(
        Form.TOOL,
        new NumberGrader(),
        "1 if the last number is the known one, 0.1 if not, 0 without a tool");
  }
}

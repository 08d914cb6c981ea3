package roll.reward.math;

import org.osgi.service.component.annotations.Component;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/** 1 for an answer that is written like the known one. */
@Component(name = "roll.reward.math.math_reward_string_equal", service = RewardFunction.class)
@RollReward("math_reward_string_equal")
public final class MathRewardStringEqual extends StringReward {
  /** The only one there is. */
  public MathRewardStringEqual() {
    super(
        Form.ANY,
        new StringGrader(),
        "1 if the boxed, marked or last number is the known answer as text, else 0");
  }
}

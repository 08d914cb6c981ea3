package roll.reward.math;

import org.osgi.service.component.annotations.Component;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/** Scores 1 for an answer equal to the known one as text. */
@Component(name = "roll.reward.math.math_reward_string_equal", service = RewardFunction.class)
@RollReward("math_reward_string_equal")
public final class MathRewardStringEqual extends StringReward {
  /** Creates the reward {@code MathRewardStringEqual}. */
  public MathRewardStringEqual() {
    super(
        ConversationForm.ANY,
        new StringGrader(),
        "1 if the boxed, marked or last number equals the known answer as text, otherwise 0");
  }
}

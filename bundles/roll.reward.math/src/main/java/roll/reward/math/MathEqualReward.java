package roll.reward.math;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.plugin.Plugins;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/** Scores 1 for an answer equal to the known one as expression. */
@Component(name = "roll.reward.math.math_equal_reward", service = RewardFunction.class)
@RollReward("math_equal_reward")
public final class MathEqualReward extends EqualReward {
  /** Creates the reward with the graders in {@code plugins}. */
  @Activate
  public MathEqualReward(@Reference Plugins plugins) {
    super(plugins, ConversationForm.ANY, "1 for an answer equal to the known one, otherwise 0");
  }
}

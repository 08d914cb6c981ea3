package roll.reward.guideline;

import java.util.Map;
import roll.api.reward.RewardFunction;
import roll.testkit.InMemoryPluginRegistry;
import roll.testkit.RewardContract;

/** The contract of reward functions; without a question the solver is not called. */
class GuidelineRewardContractTest extends RewardContract {
  @Override
  protected RewardFunction function() {
    return new GuidelineReward(
        new InMemoryPluginRegistry().with("roll.grader", "math_verify", new NeverEqualGrader()),
        Map.of());
  }
}

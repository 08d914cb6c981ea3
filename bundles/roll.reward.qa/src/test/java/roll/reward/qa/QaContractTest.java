package roll.reward.qa;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import roll.api.reward.RewardFunction;
import roll.testkit.RewardContract;

/** The contract of reward functions, for each reward of this bundle. */
class QaContractTest {
  private abstract static class Contract extends RewardContract {
    @Override
    protected Map<String, Object> facts() {
      return Map.of("answer", List.of("Up", "yes"));
    }
  }

  @Nested
  class QaF1 extends Contract {
    @Override
    protected RewardFunction function() {
      return new QaF1Reward();
    }
  }

  @Nested
  class QaF1Tool extends Contract {
    @Override
    protected RewardFunction function() {
      return new QaF1RewardTool();
    }
  }

  @Nested
  class OkVqa extends Contract {
    @Override
    protected RewardFunction function() {
      return new OkVqaReward();
    }
  }

  @Nested
  class Infoseek extends Contract {
    @Override
    protected RewardFunction function() {
      return new InfoseekReward();
    }
  }

  @Nested
  class Em extends Contract {
    @Override
    protected RewardFunction function() {
      return new ExactMatchReward();
    }
  }
}

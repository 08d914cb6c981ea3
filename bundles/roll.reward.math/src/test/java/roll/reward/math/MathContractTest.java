package roll.reward.math;

import java.util.Map;
import org.junit.jupiter.api.Nested;
import roll.api.reward.RewardFunction;
import roll.testkit.InMemoryPluginRegistry;
import roll.testkit.RewardContract;

/** The contract of reward functions, for each reward of this bundle. */
class MathContractTest {
  private abstract static class Contract extends RewardContract {
    final InMemoryPluginRegistry shelf =
        new InMemoryPluginRegistry().with("roll.grader", "math_verify", new LastWordGrader());

    @Override
    protected Map<String, Object> facts() {
      return Map.of("answer", "42");
    }
  }

  @Nested
  class Equal extends Contract {
    @Override
    protected RewardFunction function() {
      return new MathEqualReward(shelf);
    }
  }

  @Nested
  class EqualTool extends Contract {
    @Override
    protected RewardFunction function() {
      return new MathEqualRewardTool(shelf);
    }
  }

  @Nested
  class ThoughtWithTool extends Contract {
    @Override
    protected RewardFunction function() {
      return new MathRewardThoughtWithTool(shelf);
    }
  }

  @Nested
  class EqualThink extends Contract {
    @Override
    protected RewardFunction function() {
      return new MathEqualRewardThink(shelf);
    }
  }

  @Nested
  class StringEqual extends Contract {
    @Override
    protected RewardFunction function() {
      return new MathRewardStringEqual();
    }
  }

  @Nested
  class StringEqualTool extends Contract {
    @Override
    protected RewardFunction function() {
      return new MathStringEqualRewardTool();
    }
  }
}

package roll.reward.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.data.Trajectory;
import roll.api.reward.RewardFunction;
import roll.testkit.RewardContract;

class ToolsWellFormedRewardTest extends RewardContract {
  @Override
  protected RewardFunction function() {
    return new ToolsWellFormedReward();
  }

  @Test
  void isTheShareOfTheCalls() {
    assertEquals(
        0.75, score(Map.of(), with(Map.of("tool_calls", 4.0, "tool_calls/malformed", 1.0))));
    assertEquals(1, score(Map.of(), with(Map.of("tool_calls", 2.0))));
    assertEquals(0, score(Map.of(), with(Map.of("tool_calls", 1.0, "tool_calls/malformed", 1.0))));
  }

  @Test
  void withoutCallsTheOptionSays() {
    assertEquals(0, score(Map.of(), with(Map.of())));
    assertEquals(0.5, score(Map.of("no_calls", 0.5), with(Map.of("tool_calls", 0.0))));
  }

  private static Trajectory with(Map<String, Double> metrics) {
    return episode("Up").withRewards(new double[1], metrics);
  }
}

package roll.reward.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.data.Trajectory;
import roll.api.reward.RewardFunction;
import roll.testkit.RewardContract;

class ToolUseRewardTest extends RewardContract {
  private static final Map<String, Double> THREE =
      Map.of("tool_calls", 3.0, "tool_calls/malformed", 1.0, "tool_calls/failed", 1.0);

  @Override
  protected RewardFunction function() {
    return new ToolUseReward();
  }

  @Test
  void countsCallsByTheirEnd() {
    assertEquals(2 * 0.25, score(Map.of("per_call", 0.25), with(THREE)));
    assertEquals(0.5, score(Map.of("per_success", 0.5), with(THREE)));
    assertEquals(-0.25, score(Map.of("per_error", -0.25), with(THREE)));
    assertEquals(
        2 * 0.25 + 0.5 - 0.125,
        score(Map.of("per_call", 0.25, "per_success", 0.5, "per_error", -0.125), with(THREE)));
  }

  @Test
  void nothingWithoutCalls() {
    assertEquals(
        0, score(Map.of("per_call", 1, "per_success", 1, "per_error", -1), with(Map.of())));
  }

  private static Trajectory with(Map<String, Double> metrics) {
    return episode("Up").withRewards(new double[1], metrics);
  }
}

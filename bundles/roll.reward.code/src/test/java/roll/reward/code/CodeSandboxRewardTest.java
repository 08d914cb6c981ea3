package roll.reward.code;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.reward.RewardFunction;
import roll.testkit.InMemoryPluginRegistry;
import roll.testkit.RewardContract;

/** All tests must pass; the sandbox only inspects the text of programs. */
class CodeSandboxRewardTest extends RewardContract {
  @Override
  protected RewardFunction function() {
    return new CodeSandboxReward(
        new InMemoryPluginRegistry()
            .with("roll.sandbox", "python_process", new CodeRewardTest.Reader()));
  }

  @Test
  void onlyAllTestsCount() {
    Map<String, Object> facts = Map.of("case_type", "assert", "test_cases", List.of("a", "b"));
    assertEquals(1, score(Map.of(), episode("x = 1").withFacts(facts)));
    facts = Map.of("case_type", "assert", "test_cases", List.of("a", "wrong"));
    assertEquals(0, score(Map.of(), episode("x = 1").withFacts(facts)));
    assertEquals(0, score(Map.of(), episode("wrong").withFacts(facts)));
    assertEquals(0, score(Map.of(), episode("")));
  }
}

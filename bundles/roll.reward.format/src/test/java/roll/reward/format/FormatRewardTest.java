package roll.reward.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.reward.RewardFunction;
import roll.testkit.RewardContract;

@Timeout(120)
class FormatRewardTest extends RewardContract {
  @Override
  protected RewardFunction function() {
    return new FormatReward();
  }

  @Override
  protected Map<String, Object> options() {
    return Map.of("pattern", "^<think>.*</think>\\s*<answer>.*</answer>$");
  }

  @Test
  void isAShareOfTheMessages() {
    String good = "<think>a\nb</think>\n<answer>c</answer>";
    assertEquals(0.75, score(options(), episode(good, good, "<answer>c</answer>", good)));
    assertEquals(0, score(options(), episode()));
  }

  @Test
  void orTheFinalResponseAlone() {
    Map<String, Object> options = Map.of("pattern", "\\\\boxed\\{", "over", "final");
    assertEquals(1, score(options, episode("no", "so \\boxed{1}")));
    assertEquals(0, score(options, episode("so \\boxed{1}", "no")));
    Map<String, Object> anything = Map.of("pattern", "^(?!.*boxed)", "over", "final");
    assertEquals(1, score(anything, episode("")));
    assertEquals(0, score(anything, episode()), "nothing was answered");
  }

  @Test
  void aSearchWithoutEndFindsNothing() {
    assertEquals(0, score(Map.of("pattern", "^(a+)+$"), episode("a".repeat(40) + "b")));
    assertEquals(0, score(Map.of("pattern", "^(a|b)*c$"), episode("ab".repeat(500_000) + "c")));
  }

  @Test
  void patternsAreChecked() {
    assertEquals(
        "rewards.pattern: expected a regular expression (Unclosed group), found '(a'",
        userError(() -> reward(Map.of("pattern", "(a"))));
    assertEquals("rewards.pattern is required", userError(() -> reward(Map.of())));
  }
}

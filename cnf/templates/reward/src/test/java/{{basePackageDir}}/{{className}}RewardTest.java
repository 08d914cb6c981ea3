package {{basePackageName}};

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.reward.RewardFunction;
import roll.testkit.RewardContract;

/** The contract of all reward functions, and numbers computed by hand. */
class {{className}}RewardTest extends RewardContract {
  @Override
  protected RewardFunction function() {
    return new {{className}}Reward();
  }

  @Test
  void countsTheWordsThatWereAskedFor() {
    assertEquals(0.75, score(Map.of(), episode("Up", "Down ", "I go Left", "Left")));
    assertEquals(0.5, score(Map.of("words", List.of("yes")), episode("yes", "no")));
    assertEquals(0, score(Map.of(), episode()));
  }
}

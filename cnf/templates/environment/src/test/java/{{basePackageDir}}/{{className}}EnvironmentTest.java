package {{basePackageName}};

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.option.Options;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.testkit.EnvironmentContract;

/** The contract of all environments, and what is special about this one. */
class {{className}}EnvironmentTest extends EnvironmentContract {
  @Override
  protected Environment environment() {
    return new {{className}}Environment();
  }

  /** With four cells and no walls every goal is at most two steps away. */
  @Test
  void theGoalIsWorthOne() {
    Options options = Options.of("test", Map.of("size", 2, "walls", 0), environment().options());
    Episode walk = environment().configure(options).reset(1);
    double reward = 0;
    for (String action : new String[] {"Left", "Up", "Right", "Down", "Left", "Up"}) {
      if (reward == 0) {
        reward = walk.step(action).reward();
      }
    }
    assertEquals(1, reward);
  }
}

package {{basePackageName}};

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Step;
import roll.testkit.EnvironmentContract;
import roll.testkit.TestOptions;

/** The contract of all environments, and what is special about this one. */
class {{className}}EnvironmentTest extends EnvironmentContract {
  @Override
  protected Environment environment() {
    return new {{className}}Environment();
  }

  /** With one cell the goal is one step to the left or to the right. */
  @Test
  void theGoalIsWorthOne() {
    var options = TestOptions.of("test", Map.of("cells", 1), environment().options());
    Episode walk = environment().configure(options).reset(1);
    String way = walk.observation().startsWith("G") ? "Left" : "Right";
    assertEquals(new Step("PG", 1, true, false, Map.of("success", 1.0)), walk.step(way));
  }
}

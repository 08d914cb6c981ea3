package roll.env.click_and_read;

import java.util.Map;
import org.junit.jupiter.api.Nested;
import roll.api.env.Environment;
import roll.testkit.EnvironmentContract;

/** The contract with the standard options: generated sites, at most five actions. */
class ClickAndReadContractTest extends EnvironmentContract {
  @Override
  protected Environment environment() {
    return new ClickAndReadEnvironment();
  }

  /** The contract with pictures that need no browser. */
  @Nested
  class Drawn extends EnvironmentContract {
    @Override
    protected Environment environment() {
      return new ClickAndReadEnvironment();
    }

    @Override
    protected Map<String, Object> config() {
      return Map.of("observation", "picture", "page_renderer", "java", "num_sites", 2);
    }
  }

  /** The contract with the list beside the pictures. */
  @Nested
  class DrawnAndListed extends EnvironmentContract {
    @Override
    protected Environment environment() {
      return new ClickAndReadEnvironment();
    }

    @Override
    protected Map<String, Object> config() {
      return Map.of("observation", "both", "page_renderer", "java", "num_sites", 2);
    }
  }
}

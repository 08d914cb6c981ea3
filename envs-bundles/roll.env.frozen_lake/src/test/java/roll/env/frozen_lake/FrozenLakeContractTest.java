package roll.env.frozen_lake;

import java.util.Map;
import org.junit.jupiter.api.Nested;
import roll.api.env.Environment;
import roll.testkit.EnvironmentContract;

/** The contract with the standard options: 4×4, slippery. */
class FrozenLakeContractTest extends EnvironmentContract {
  @Override
  protected Environment environment() {
    return new FrozenLakeEnvironment();
  }

  /** The contract with one token per cell and an empty instruction. */
  @Nested
  class LakePictures extends EnvironmentContract {
    @Override
    protected Environment environment() {
      return new FrozenLakeEnvironment();
    }

    @Override
    protected Map<String, Object> config() {
      return Map.of("observation", "picture", "cell_pixels", 28);
    }
  }
}

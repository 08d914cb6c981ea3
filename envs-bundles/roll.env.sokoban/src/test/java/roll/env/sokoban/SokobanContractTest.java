package roll.env.sokoban;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import roll.api.env.Environment;
import roll.testkit.EnvironmentContract;

/** The contract with the standard options: 10×10, four boxes. */
class SokobanContractTest extends EnvironmentContract {
  @Override
  protected Environment environment() {
    return new SokobanEnvironment();
  }

  /** The contract in the room that configurations use most, seen as pictures. */
  @Nested
  class SmallPictures extends EnvironmentContract {
    @Override
    protected Environment environment() {
      return new SokobanEnvironment();
    }

    @Override
    protected Map<String, Object> config() {
      return Map.of("dim_room", List.of(6, 6), "num_boxes", 1, "observation", "both");
    }
  }
}

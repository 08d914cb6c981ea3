package roll.env.frozen_lake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario;
import roll.testkit.TestOptions;

class LakeSplitTest {
  @Test
  void aLakeOfTrainingIsNeverOneOfValidation() {
    Scenario scenario = scenario(Map.of("val_share", 0.2));
    Set<String> trained = lakes(scenario, "train");
    Set<String> validated = lakes(scenario, "val");
    assertTrue(Collections.disjoint(trained, validated));
    Scenario any = scenario(Map.of());
    assertEquals(lakes(any, "train"), lakes(any, "val"));
  }

  @Test
  void oneMapCannotBeSplit() {
    assertEquals(
        "env_config.val_share: expected 0 with map_seed, which fixes the map, found" + " '0.2'",
        userError(() -> scenario(Map.of("val_share", 0.2, "map_seed", 3))));
  }

  /** Lakes so small that the same lakes come again and again. */
  private static Scenario scenario(Map<String, Object> more) {
    Map<String, Object> config = new HashMap<>(Map.of("size", 3));
    config.putAll(more);
    FrozenLakeEnvironment lake = new FrozenLakeEnvironment();
    return lake.configure(TestOptions.of("env_config", config, lake.options()));
  }

  private static Set<String> lakes(Scenario scenario, String purpose) {
    Set<String> lakes = new HashSet<>();
    for (long seed = 0; seed < 3000; seed++) {
      lakes.add(scenario.reset(new EpisodeStart(purpose, 1, seed, 0, 1, 0)).observation());
    }
    return lakes;
  }
}

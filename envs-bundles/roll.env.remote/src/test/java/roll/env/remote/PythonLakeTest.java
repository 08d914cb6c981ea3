package roll.env.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario;

/** The class of configs/remote: lakes of validation that are never trained on. */
@Tag("processes")
@Timeout(120)
class PythonLakeTest {
  private static final int EPISODES = 400;

  @TempDir Path folder;

  @AutoClose("deactivate")
  private final RemoteEnvironment environment = new RemoteEnvironment();

  private Scenario scenario(double share) throws IOException {
    Path lake = folder.resolve("lake.py");
    if (!Files.exists(lake)) {
      Path _ = Files.copy(Path.of("../../configs/remote/lake.py"), lake);
    }
    Map<String, Object> config = new HashMap<>(Programs.config("lake.py"));
    config.remove("command");
    config.put("gym", "lake:Lake");
    config.put("python", "/usr/bin/python3");
    config.put("folder", folder.toString());
    config.put("options", Map.of("size", 3, "val_share", share));
    return Programs.scenario(environment, config);
  }

  private static Set<String> lakes(Scenario scenario, String purpose) {
    Set<String> lakes = new HashSet<>();
    for (int seed = 0; seed < EPISODES; seed++) {
      try (Episode episode =
          scenario.reset(new EpisodeStart(purpose, 1, seed * 7_919L, seed, 1, 0))) {
        lakes.add(episode.observation());
      }
    }
    return lakes;
  }

  @Test
  void noLakeIsPlayedByBoth() throws IOException {
    Scenario scenario = scenario(0.2);
    Set<String> trained = lakes(scenario, "train");
    Set<String> validated = lakes(scenario, "val");
    assertTrue(validated.size() > 20 && trained.size() > validated.size());
    validated.retainAll(trained);
    assertEquals(Set.of(), validated);
    Scenario any = scenario(0);
    assertEquals(lakes(any, "train"), lakes(any, "val"));
  }

  @Test
  void nothingIsWrittenBesideTheClass() throws IOException {
    scenario(0).reset(1).close();
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of("lake.py"), files.map(file -> file.getFileName().toString()).toList());
    }
  }
}

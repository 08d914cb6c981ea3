package roll.env.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.env.Episode;
import roll.api.env.Scenario;

/** Worlds of GEM are functions of their seeds, though they share generators and data sets. */
@Tag("processes")
@Timeout(120)
class GemTest {
  @AutoClose("deactivate")
  private final RemoteEnvironment environment = new RemoteEnvironment();

  private Scenario world(String name, Path folder) {
    Map<String, Object> config = new HashMap<>(Programs.config("lake.py"));
    config.remove("command");
    config.putAll(Map.of("gym", name, "python", "/usr/bin/python3", "folder", folder.toString()));
    return Programs.scenario(environment, config);
  }

  private Scenario world(String name) {
    return world(name, Programs.file("gem").resolveSibling("."));
  }

  @Test
  void episodesThatAreInterleavedDrawWhatTheyDrawAlone() {
    Scenario dice = world("gem/game:Dice");
    List<String> alone = new ArrayList<>();
    try (Episode episode = dice.reset(-7)) {
      alone.add(episode.observation());
      for (int i = 0; i < 20; i++) {
        alone.add(episode.step("").observation());
      }
    }
    assertTrue(alone.getFirst().endsWith("\nThrow."), alone.getFirst());
    assertTrue(alone.getLast().endsWith("\nThrow again."), alone.getLast());
    List<String> among = new ArrayList<>();
    try (Episode other = dice.reset(8);
        Episode episode = dice.reset(-7)) {
      among.add(episode.observation());
      for (int i = 0; i < 20; i++) {
        other.step("");
        among.add(episode.step("").observation());
      }
    }
    assertEquals(alone, among);
  }

  @Test
  void everyEpisodeHasADataSetOfItsSeed() {
    Scenario quiz = world("gem/rg:Quiz");
    List<String> asked = new ArrayList<>();
    for (long seed : new long[] {3, 4, 3, 3, -1}) {
      try (Episode episode = quiz.reset(seed)) {
        asked.add(episode.observation());
        assertTrue(episode.step("").terminated());
      }
    }
    assertEquals(List.of(asked.get(0), asked.get(0)), asked.subList(2, 4));
    assertTrue(asked.get(0).endsWith(" of 3"), asked.get(0));
    assertNotEquals(asked.get(0), asked.get(1));
  }

  @Test
  void aPythonWithoutGemIsSaid(@TempDir Path empty) {
    String refused = userError(() -> world("gem/game:Dice", empty));
    assertTrue(
        refused.contains("No module named 'gem'")
            && refused.startsWith("custom_envs.Test.env_config: "),
        refused);
    assertEquals(1, refused.lines().count(), refused);
  }
}

package roll.env.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;

/** Classes as Gym had them, with coroutines, and others that are refused when they are made. */
@Tag("processes")
@Timeout(120)
class GymOlderTest {
  @AutoClose("deactivate")
  private final RemoteEnvironment environment = new RemoteEnvironment();

  private Scenario scenario(String world) {
    Map<String, Object> config = new HashMap<>(Programs.config("older/worlds.py"));
    config.remove("command");
    config.put("gym", "worlds:" + world);
    config.put("python", "/usr/bin/python3");
    config.put("folder", String.valueOf(Programs.file("older/worlds.py").getParent()));
    return Programs.scenario(environment, config);
  }

  /** The environment uses the generator of its process; each episode has a state of its own. */
  @Test
  void gymsMethodsArePlayed() {
    Scenario old = scenario("Old");
    String alone;
    try (Episode episode = old.reset(1)) {
      alone = episode.observation() + episode.step("no").observation();
    }
    try (Episode episode = old.reset(1);
        Episode other = old.reset(2)) {
      assertNotEquals(other.observation(), episode.observation());
      other.step("no");
      assertEquals(alone, episode.observation() + episode.step("no").observation());
      assertEquals(1, episode.step("yes").reward());
      Step last = episode.step("no");
      assertTrue(last.truncated());
    }
  }

  @Test
  void gymsSeedIsTold() {
    Scenario seeded = scenario("Seeded");
    try (Episode one = seeded.reset(1);
        Episode two = seeded.reset(2);
        Episode again = seeded.reset(1)) {
      assertEquals(one.observation(), again.observation());
      assertNotEquals(one.observation(), two.observation());
      assertTrue(one.step("x").terminated());
    }
  }

  @Test
  void coroutinesAreAwaited() {
    try (Episode episode = scenario("Coroutines").reset(8)) {
      assertEquals("seed 1", episode.observation());
      assertEquals(Map.of("answer", "5"), episode.facts());
      assertEquals(1, episode.step("#### 5").reward());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Tools | TypeError: worlds:Tools has no method step: a class for TRL's environment_factory,"
            + " whose methods (guess) are tools: env_type dataset plays it, as"
            + " python.environment_factory",
        "Demanding | TypeError: worlds:Demanding: reset asks for board, which is not told: a seed"
            + " is, and purpose",
      })
  void whatCannotBePlayedIsRefusedAtOnce(String world, String message) {
    String told = Objects.requireNonNull(userError(() -> scenario(world)));
    assertTrue(told.endsWith(message), told);
  }

  /** Special tokens are not text, with which environments compare actions. */
  @Test
  void actionsComeWithoutSpecialTokens() {
    assertEquals(false, scenario("Coroutines").readsSpecialTokens());
  }
}

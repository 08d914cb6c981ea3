package roll.env.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;

/** A class with Gymnasium's methods, as MultiDiscrete and MultiBinary of it and numpy make them. */
@Tag("processes")
@Timeout(120)
class GymLeversTest {
  @AutoClose("deactivate")
  private final RemoteEnvironment environment = new RemoteEnvironment();

  private Scenario scenario(boolean switches) {
    return scenario("levers:Levers", switches);
  }

  private Scenario scenario(String world, boolean switches) {
    Path folder = Objects.requireNonNull(Programs.file("several/levers.py").getParent());
    return scenario(world, folder, Map.of("switches", switches));
  }

  private Scenario scenario(String world, Path folder) {
    return scenario(world, folder, Map.of());
  }

  private Scenario scenario(String world, Path folder, Map<String, Object> options) {
    Map<String, Object> config = new HashMap<>(Programs.config("several/levers.py"));
    config.remove("command");
    config.put("gym", world);
    config.put("python", "/usr/bin/python3");
    config.put("folder", folder.toString());
    config.put("options", options);
    return Programs.scenario(environment, config);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anActionIsSeveralNumbers(boolean switches) {
    try (Episode episode = scenario(switches).reset(1)) {
      assertEquals("[0, 0]", episode.observation());
      assertEquals(List.of(), episode.actions());
      assertEquals(Map.of("action_is_valid", 0.0), episode.step("up").metrics());
      assertEquals(Map.of("action_is_valid", 0.0), episode.step("[2, 3]").metrics());
      Step step = episode.step("Both <answer>[2, 2]</answer>");
      assertEquals("[2, 2]", step.observation());
      assertTrue(step.terminated());
    }
  }

  @Test
  void aClassThatTheModuleLacksIsNamed() {
    String message = userError(() -> scenario("levers:Pond", false));
    assertTrue(message.contains("module 'levers' has no class 'Pond'"), message);
    assertFalse(message.contains("No module named"), message);
  }

  /** Gymnasium says of such a name that no environment has it. */
  @Test
  void aClassThatTheModuleLacksIsNoIdOfGymnasium(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("gymnasium.py"), "registry = {'Lake-v1': None}\n");
    Files.writeString(folder.resolve("guessgym.py"), "import gymnasium\nclass Guess: pass\n");
    String message = userError(() -> scenario("guessgym:Guss", folder));
    assertTrue(message.contains("module 'guessgym' has no class 'Guss'"), message);
    message = userError(() -> scenario("guessgym:Lake", folder));
    assertTrue(message.contains("module 'gymnasium' has no attribute 'make'"), message);
  }

  @Test
  void theFolderWithoutTheModuleIsNamed(@TempDir Path folder) throws IOException {
    String message = userError(() -> scenario("guessgym:Guess", folder));
    String place = " in " + folder.toRealPath() + " or the packages of ";
    assertTrue(message.contains("No module named 'guessgym'" + place), message);
    Files.writeString(folder.resolve("guessgym.py"), "import no_such_module\n");
    message = userError(() -> scenario("guessgym:Guess", folder));
    assertTrue(message.contains("No module named 'no_such_module'"), message);
    assertFalse(message.contains(place), message);
  }

  @Test
  void numbersOfNumpyAreMetrics() {
    try (Episode episode = scenario(false).reset(1)) {
      assertEquals(
          Map.of("up", 1.0, "success", 0.0, "action_is_valid", 1.0),
          episode.step("[0, 2]").metrics());
    }
  }

  @Test
  void whatCannotBeDrawnCostsNoEpisode() {
    try (Episode episode = scenario(false).reset(1)) {
      assertEquals(Optional.empty(), episode.render());
      assertEquals(1, episode.step("[2, 2]").reward());
    }
  }
}

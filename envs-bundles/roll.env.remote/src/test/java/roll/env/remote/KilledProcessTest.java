package roll.env.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.option.UserException;
import roll.bridge.PeerException;

/** A process that is killed costs its own episodes, which can be played again. */
@Tag("processes")
@Timeout(120)
class KilledProcessTest {
  @AutoClose("deactivate")
  private final RemoteEnvironment environment = new RemoteEnvironment();

  @Test
  void onlyItsOwnEpisodesAreLost() throws Exception {
    Scenario scenario = Programs.scenario(environment, Programs.config("lake.py", "processes", 2));
    try (Episode one = scenario.reset(1);
        Episode other = scenario.reset(2)) {
      List<ProcessHandle> lakes =
          ProcessHandle.current()
              .descendants()
              .filter(process -> process.info().commandLine().orElse("").contains("lake.py"))
              .sorted((a, b) -> Long.compare(a.pid(), b.pid()))
              .toList();
      assertEquals(2, lakes.size());
      String first = String.valueOf(lakes.getFirst().pid()); // started first, so it plays the first
      assertEquals(0, new ProcessBuilder("kill", "-9", first).start().waitFor());
      PeerException e = assertThrows(PeerException.class, () -> one.step("<answer>Up</answer>"));
      assertTrue(
          String.valueOf(e.getMessage()).endsWith("lake.py was killed by signal 9"),
          e.getMessage());
      assertEquals(
          1.0, other.step("<answer>Up</answer>").metrics().getOrDefault("action_is_valid", 0.0));
      try (Episode again = scenario.reset(1)) {
        assertEquals(one.observation(), again.observation());
      }
    }
  }

  @Test
  void whatDoesNotStartIsToldInOneLine() {
    Map<String, Object> config = Programs.config("lake.py");
    config.put("command", List.of("/usr/bin/python3", "-c", "import no_such_lake"));
    UserException e =
        assertThrows(UserException.class, () -> Programs.scenario(environment, config));
    assertEquals(
        "custom_envs.Test.env_config: /usr/bin/python3 -c ended with status 1; its last words:"
            + " ModuleNotFoundError: No module named 'no_such_lake'",
        e.getMessage());
    e = assertThrows(UserException.class, () -> Programs.scenario(environment, Map.of()));
    assertEquals(
        "custom_envs.Test.env_config: one of gym, command and url says which environment is played",
        e.getMessage());
  }
}

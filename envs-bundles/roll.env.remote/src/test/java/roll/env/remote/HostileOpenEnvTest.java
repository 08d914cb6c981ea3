package roll.env.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.env.Episode;
import roll.api.env.Scenario;

/** Servers of OpenEnv that hang, flood or say what they may not: it costs the one episode. */
@Tag("hostile")
@Timeout(120)
class HostileOpenEnvTest {
  @AutoClose("deactivate")
  private final RemoteEnvironment environment = new RemoteEnvironment();

  private Scenario scenario(PythonServer server, String mischief) {
    return Programs.scenario(
        environment,
        Programs.lake(
            server,
            Map.of("observation", "grid", "picture", "pixels", "actions", "moves"),
            "url",
            "ws://127.0.0.1:" + server.port() + "/lake/ws",
            "timeout",
            mischief.equals("hangs") ? 1.5 : 60,
            "options",
            mischief.isEmpty() ? Map.of() : Map.of("mischief", mischief)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hangs|has not answered for 1.5 s",
        "closes|closed the connection with status 1011 no more",
        "breaks|closed the connection with status 1006",
        "fails|: the lake  has dried up (EXECUTION_ERROR)",
        "is_huge|wrote a message of more than 32 MiB",
        "writes_garbage|: wrote an invalid answer (an object with type and data): hello",
        "writes_a_list|: wrote an invalid answer (an object with type and data): [1]",
        "is_deep|: wrote an invalid answer",
        "tells_its_state|: answered with 'state' where an observation is due",
      })
  void itCostsTheEpisode(String mischief, String said) throws Exception {
    try (PythonServer server = PythonServer.start("openenv_server.py", "2");
        Episode other = scenario(server, "").reset(1)) {
      try (Episode episode = scenario(server, mischief).reset(1)) {
        String message = message(() -> episode.step("Left"));
        String place = "ws://127.0.0.1:" + server.port() + "/lake/ws";
        String start = place + (said.startsWith(":") ? "" : " ") + said;
        assertTrue(message.startsWith(start), message);
      }
      assertEquals(1.0, other.step("Left").metrics().getOrDefault("action_is_valid", 0.0));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "has_a_wrong_reward|the answer's reward is \"much\"; it must be a number",
        "is_perhaps_done|the answer's terminated is \"perhaps\"; it must be true or false",
        "sees_a_list|the answer's observation is [1]; it must be a mapping",
        "has_no_moves|the observation's moves are no list of actions",
        "has_no_pixels|the observation's picture must be a PNG or JPEG file in Base64, or rows of"
            + " at most 16777216 pixels of three numbers from 0 to 255",
      })
  void whatIsOfTheWrongTypeIsNamed(String mischief, String said) throws Exception {
    try (PythonServer server = PythonServer.start("openenv_server.py", "1");
        Episode episode = scenario(server, mischief).reset(1)) {
      assertEquals(said, message(() -> episode.step("Left")));
    }
  }

  private static String message(Runnable step) {
    RuntimeException e = assertThrows(RuntimeException.class, step::run);
    String message = String.valueOf(e.getMessage());
    assertEquals(1, message.lines().count(), message);
    assertEquals(message, e.toString(), "users are shown no class of Java");
    return message;
  }

  @Test
  void aRewardThatIsNoNumberIsHandedOn() throws Exception {
    try (PythonServer server = PythonServer.start("openenv_server.py", "1");
        Episode episode = scenario(server, "is_nan").reset(1)) {
      assertEquals(Double.NaN, episode.step("Left").reward());
    }
  }

  @Test
  void anAnswerThatNobodyAskedFor() throws Exception {
    try (PythonServer server = PythonServer.start("openenv_server.py", "1");
        Episode episode = scenario(server, "answers_twice").reset(1)) {
      assertEquals(0, episode.step("Left").reward());
      String message = message(() -> steps(episode));
      assertTrue(message.contains(": sent an unexpected message: {\"type\": \"obs"), message);
    }
  }

  /** The second answer may come after the next question. */
  private static void steps(Episode episode) {
    for (int i = 0; i < 100; i++) {
      assertEquals(0, episode.step("Left").reward());
    }
  }

  @Test
  void anEpisodeThatIsOverBeforeItBegins() throws Exception {
    try (PythonServer server = PythonServer.start("openenv_server.py", "1")) {
      Scenario scenario = scenario(server, "over");
      String message = message(() -> scenario.reset(1).close());
      assertTrue(message.endsWith(": the episode is over before its first step"), message);
    }
  }

  @Test
  void aServerThatEnds() throws Exception {
    try (PythonServer server = PythonServer.start("openenv_server.py", "1");
        Episode episode = scenario(server, "").reset(1)) {
      server.end();
      String message = message(() -> episode.step("Left"));
      assertTrue(message.startsWith("ws://127.0.0.1:" + server.port() + "/lake/ws "), message);
    }
  }
}

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

/** Servers of the Model Context Protocol that hang, die or say what they may not. */
@Tag("hostile")
@Timeout(120)
class HostileMcpTest {
  private static final String MOVE = "{\"name\": \"move\", \"arguments\": {\"direction\": \"Up\"}}";

  @AutoClose("deactivate")
  private final RemoteEnvironment environment = new RemoteEnvironment();

  private Scenario scenario(String mischief) {
    return Programs.scenario(
        environment,
        Programs.config(
            "mcp_server.py",
            "mcp",
            Map.of("begin", "new_game", "grade", "score"),
            "timeout",
            mischief.equals("hangs") || mischief.equals("talks") ? 10 : 60,
            "options",
            Map.of("mischief", mischief)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hangs|mcp_server.py has not answered for",
        "talks|mcp_server.py has not answered for",
        "dies|mcp_server.py ended with status 3",
        "garbage|mcp_server.py wrote an invalid JSON-RPC message: hello",
        "wrong|mcp_server.py: the reward of its tool move is \"much\"; it must be a number",
        "perhaps|mcp_server.py: the done of its tool move is \"perhaps\"; it must be true or false",
        "list|mcp_server.py answered without a result",
        "huge|mcp_server.py wrote a line of more than 32 MiB",
        "no_score|mcp_server.py: the reward of its tool score is \"very good\"; it must be a"
            + " number",
      })
  void itCostsTheEpisode(String mischief, String said) {
    try (Episode other = scenario("").reset(1)) {
      try (Episode episode = scenario(mischief).reset(1)) {
        String message = message(() -> episode.step(MOVE));
        assertTrue(message.contains(said), message);
      }
      assertTrue(other.step(MOVE).observation().contains("P"));
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
  void whatIsOddIsShownAsItIs() {
    try (Episode episode = scenario("nothing").reset(1)) {
      assertEquals("", episode.step(MOVE).observation());
    }
    try (Episode episode = scenario("odd").reset(1)) {
      assertEquals("[]\n[audio]\na text\n[lake://map]", episode.step(MOVE).observation());
    }
    try (Episode episode = scenario("nan").reset(1)) {
      assertEquals(Double.NaN, episode.step(MOVE).reward());
    }
    try (Episode episode = scenario("bad_picture").reset(1)) {
      episode.step(MOVE);
      assertEquals(
          "the answer's picture is \"AAAA\"; it must be a PNG or JPEG file in Base64",
          message(episode::picture));
    }
    String message = message(() -> scenario("over").reset(1).close());
    assertTrue(message.endsWith(": the episode is over before its first step"), message);
  }
}

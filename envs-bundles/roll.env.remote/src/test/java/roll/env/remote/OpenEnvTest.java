package roll.env.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.bridge.PeerException;
import roll.env.frozen_lake.FrozenLakeEnvironment;

/** A real server that speaks OpenEnv's messages, and plays the lake. */
@Tag("processes")
@Timeout(120)
class OpenEnvTest {
  @AutoClose("deactivate")
  private final RemoteEnvironment environment = new RemoteEnvironment();

  private Scenario scenario(PythonServer server, Map<String, Object> form) {
    return Programs.scenario(environment, Programs.lake(server, form));
  }

  @Test
  void theSameTrajectoriesAsTheEmbeddedLake() throws Exception {
    try (PythonServer server = PythonServer.start("openenv_server.py", "2")) {
      Scenario remote = scenario(server, Map.of("observation", "grid", "metrics", "won"));
      Scenario embedded = Programs.scenario(new FrozenLakeEnvironment(), Map.of());
      int turns = 0;
      for (long seed = 0; seed < 20; seed++) {
        try (Episode one = embedded.reset(seed);
            Episode other = remote.reset(seed)) {
          for (boolean over = false; !over && turns < 1000; turns++) {
            assertEquals(one.observation(), other.observation());
            assertEquals(one.actions(), other.actions());
            String action = one.expert().orElseThrow();
            Step expected = one.step(one.respond(action));
            Step step = other.step(turns % 2 == 0 ? "I go. " + one.respond(action) : action);
            assertEquals(expected.observation(), step.observation());
            assertEquals(expected.reward(), step.reward());
            assertEquals(expected.terminated(), step.terminated());
            assertEquals(Map.of("won", expected.reward(), "action_is_valid", 1.0), step.metrics());
            over = step.done();
          }
        }
      }
      assertTrue(turns > 40 && turns < 1000, () -> "played otherwise");
    }
  }

  @Test
  void whatIsNoActionIsToldTheAgent() throws Exception {
    try (PythonServer server = PythonServer.start("openenv_server.py", "3")) {
      try (Episode episode =
          scenario(server, Map.of("observation", "grid", "action_fields", Map.of("times", 2)))
              .reset(1)) {
        String before = episode.observation();
        Step step = episode.step("<answer>Jump</answer>");
        assertEquals("an action is one of Left, Down, Right, Up\n\n" + before, step.observation());
        assertEquals(0, step.reward());
        assertEquals(Map.of("action_is_valid", 0.0), step.metrics());
        assertEquals(Map.of("action_is_valid", 1.0), episode.step("left").metrics());
      }
      try (Episode episode =
          scenario(server, Map.of("observation", "deep.cells", "action_json", true)).reset(1)) {
        assertEquals("16", episode.observation());
        assertEquals("an action is written in JSON\n\n16", episode.step("{Left").observation());
        assertEquals("an action is a JSON object\n\n16", episode.step("[1]").observation());
        assertEquals(
            "Invalid message; move: Input should be Left, Down, Right or Up\n\n16",
            episode.step("{\"move\": \"Jump\"}").observation());
        assertEquals("16", episode.step("{\"move\": \"Left\", \"times\": 2}").observation());
      }
    }
  }

  @Test
  void allOfAnObservationIsShownAsJson() throws Exception {
    try (PythonServer server = PythonServer.start("openenv_server.py", "1");
        Episode episode = scenario(server, Map.of("picture", "pixels")).reset(2)) {
      assertTrue(episode.observation().startsWith("{\"grid\":\""), episode.observation());
      assertTrue(
          episode.observation().endsWith("\"won\":false,\"nothing\":null,\"deep\":{\"cells\":16}}"),
          episode.observation());
      assertEquals(4, episode.picture().orElseThrow().getWidth());
      int player = episode.observation().indexOf('P') - "{\"grid\":\"".length();
      int line = "____\\n".length();
      assertEquals(
          0xFFFF0080, episode.picture().orElseThrow().getRGB(player % line, player / line));
      assertEquals(Optional.empty(), episode.expert());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tells", "hides"})
  void aServerThatIsFull(String sessions) throws Exception {
    try (PythonServer server = PythonServer.start("openenv_server.py", "1", "0", sessions)) {
      Scenario scenario = scenario(server, Map.of("observation", "grid"));
      for (int i = 0; i < 5; i++) { // what an episode held is freed a while after it
        scenario.reset(i).close();
      }
      Scenario other =
          Programs.scenario(
              environment,
              Programs.lake(server, Map.of("observation", "grid"), "start_timeout", 5));
      try (Episode first = scenario.reset(1)) {
        PeerException e = assertThrows(PeerException.class, () -> other.reset(2));
        assertEquals(
            ("ws://127.0.0.1:%d/lake/ws is full: none of the episodes that it plays (1) took a step"
                    + " for 5.0 s")
                .formatted(server.port()),
            e.getMessage());
        assertEquals(Map.of("action_is_valid", 1.0), first.step("Up").metrics());
      }
      scenario.reset(2).close();
    }
  }

  @Test
  void mistakesAreNamed() throws Exception {
    try (PythonServer server = PythonServer.start("openenv_server.py", "1")) {
      refused(
          server,
          Map.of("observation", "gird"),
          ".openenv.observation: the server knows no field 'gird' (it has grid, moves, won,"
              + " nothing, pixels, deep); did you mean 'grid'?");
      for (String kept :
          List.of("metadata", "reward")) { // the schema has them, observations do not
        String message = refusal(Programs.lake(server, Map.of("metrics", kept)));
        String complaint =
            ".openenv.metrics: the server knows no field '" + kept + "' (it has grid";
        assertTrue(message.contains(complaint), message);
      }
      refused(
          server,
          Map.of("action", "mvoe"),
          ".openenv.action: the server knows no field 'mvoe' (it has move, times); did you mean"
              + " 'move'?");
      refused(
          server,
          Map.of("action_fields", Map.of("move", "Left")),
          ".openenv: an action of this server has move (string), times (integer); action names the"
              + " field that the response becomes, or action_json: true leaves all to the agent");
      refused(
          server,
          Map.of("action", "move", "action_json", true),
          ".openenv.action: expected absent, or action_json false, found 'move'");
      Map<String, Object> both = Programs.lake(server, Map.of());
      both.put("gym", "lake:Lake");
      assertEquals(
          "custom_envs.Test.env_config: one of gym, command and url says which environment is"
              + " played",
          refusal(both));
      both.remove("url");
      assertEquals(
          "custom_envs.Test.env_config.gym: expected absent: openenv is spoken by the server at"
              + " url, found 'lake:Lake'",
          refusal(both));
      Map<String, Object> moved = Programs.lake(server, Map.of());
      String url = "http://127.0.0.1:" + server.port() + "/moved";
      moved.put("url", url + "/ws");
      assertEquals(
          "custom_envs.Test.env_config: " + url + "/schema answered with status 307:",
          refusal(moved));
    }
    String gone = refusal(new HashMap<>(Map.of("url", "http://127.0.0.1:1", "openenv", Map.of())));
    assertEquals(
        "custom_envs.Test.env_config: http://127.0.0.1:1/schema cannot be reached: nothing listens"
            + " there",
        gone);
    String nowhere =
        refusal(new HashMap<>(Map.of("url", "http://nowhere.invalid", "openenv", Map.of())));
    assertEquals(
        "custom_envs.Test.env_config: http://nowhere.invalid/schema cannot be reached: there is no"
            + " host of this name",
        nowhere);
  }

  private void refused(PythonServer server, Map<String, Object> form, String complaint) {
    assertEquals("custom_envs.Test.env_config" + complaint, refusal(Programs.lake(server, form)));
  }

  private String refusal(Map<String, Object> config) {
    return userError(() -> Programs.scenario(environment, config));
  }

  @Test
  void aServerThatDoesNotKnowTheKey() throws Exception {
    try (PythonServer server = PythonServer.start("openenv_server.py", "1")) {
      Map<String, Object> config = Programs.lake(server, Map.of());
      config.put("headers", Map.of());
      Scenario scenario = Programs.scenario(environment, config);
      PeerException e = assertThrows(PeerException.class, () -> scenario.reset(1));
      assertEquals(
          "ws://127.0.0.1:%d/lake/ws cannot be started or reached: it answered with status 404"
              .formatted(server.port()),
          e.getMessage());
    }
  }
}

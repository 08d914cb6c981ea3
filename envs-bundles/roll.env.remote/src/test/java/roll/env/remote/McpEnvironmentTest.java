package roll.env.remote;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
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

/** Real servers of the Model Context Protocol whose tools play the lake. */
@Tag("processes")
@Timeout(120)
class McpEnvironmentTest {
  private static final Map<String, Object> FORM =
      Map.of(
          "begin", "new_game", "grade", "score", "metrics", "steps", "instruction", "Walk to G.");

  @AutoClose("deactivate")
  private final RemoteEnvironment environment = new RemoteEnvironment();

  private Scenario program(Object... more) {
    return Programs.scenario(environment, Programs.config("mcp_server.py", more));
  }

  private static Map<String, Object> at(PythonServer server, Object key) {
    return new HashMap<>(
        Map.of(
            "url",
            "http://127.0.0.1:" + server.port(),
            "headers",
            Map.of("X-Key", key),
            "mcp",
            FORM));
  }

  private static String move(String direction) {
    return "<think>I may call <tool_call> later.</think><tool_call>\n"
        + "{\"name\": \"move\", \"arguments\": {\"direction\": \"%s\"}}\n</tool_call>"
            .formatted(direction);
  }

  @Test
  void overAProgram() {
    assertTrue(played(program("mcp", FORM), 5) > 10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "events", "hostile"})
  void overHttp(String answers) throws Exception {
    try (PythonServer server = PythonServer.start("mcp_server.py", "http", answers)) {
      assertTrue(played(Programs.scenario(environment, at(server, "k")), 20) > 40);
      HttpRequest sessions =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port())).build();
      try (HttpClient client = HttpClient.newHttpClient()) {
        await()
            .atMost(Duration.ofMinutes(1))
            .until(() -> client.send(sessions, BodyHandlers.ofString()).body().equals("0"));
      }
    }
  }

  /** Compares with the embedded lake under its expert; returns the number of turns. */
  private static int played(Scenario remote, int episodes) {
    Scenario embedded = Programs.scenario(new FrozenLakeEnvironment(), Map.of());
    int turns = 0;
    for (long seed = 0; seed < episodes; seed++) {
      try (Episode one = embedded.reset(seed);
          Episode other = remote.reset(seed)) {
        assertEquals(one.observation(), other.observation());
        int steps = 0;
        for (boolean over = false; !over && turns < 1000; turns++) {
          String action = one.expert().orElseThrow();
          Step expected = one.step(one.respond(action));
          Step step = other.step(move(action));
          assertEquals(expected.observation(), step.observation());
          assertEquals(expected.terminated(), step.terminated());
          // the tool's own reward, and at the end that of the grader, which got no answer
          assertEquals(expected.reward() - (expected.done() ? 1 : 0), step.reward());
          assertEquals(Map.of("steps", (double) ++steps, "action_is_valid", 1.0), step.metrics());
          over = step.done();
        }
      }
    }
    return turns;
  }

  @Test
  void theAgentIsToldWhatItMayCall() {
    assertEquals(
        """
        Walk to G.

        You act by calling tools. A call is written like this:
        <tool_call>
        {"name": "…", "arguments": {…}}
        </tool_call>
        A response without a call is your final answer. The tools are:
        {"name":"move","description":"Moves.","parameters":{"type":"object","properties":{"direction":\
        {"type":"string","enum":["Left","Down","Right","Up"]}}}}
        {"name":"look","description":"Shows a picture.","parameters":{"type":"object","properties":{}}}\
        """,
        program("mcp", FORM).instruction());
  }

  @Test
  void anAnswerEndsTheEpisodeAndIsGraded() {
    try (Episode episode = program("mcp", FORM).reset(3)) {
      Step step = episode.step("<tool_call>{\"name\": \"score\", \"arguments\": {}}</tool_call>");
      assertEquals("Error: no tool 'score' (there are move, look)", step.observation());
      assertEquals(Map.of("action_is_valid", 0.0), step.metrics());
      step = episode.step("<tool_call>{\"name\": 5</tool_call>");
      assertTrue(step.observation().startsWith("Error: a call is a JSON object"));
      assertEquals(0, step.reward());
      step = episode.step(move("there"));
      assertEquals("there is no such direction", step.observation());
      assertEquals(
          Map.of("action_is_valid", 0.0), step.metrics()); // isError says it, as FastMCP does
      assertTrue(episode.picture().isEmpty());
      step = episode.step("{\"name\": \"look\"}");
      assertEquals("", step.observation());
      assertEquals(0xFFFF0080, episode.picture().orElseThrow().getRGB(0, 0));
      step = episode.step(move("here") + move("there").replaceFirst("<think>.*</think>", ""));
      assertEquals("there is no such direction\nthere is no such direction", step.observation());
      step = episode.step("<think>So.</think>\n I am there");
      assertTrue(step.terminated());
      assertEquals(0.5, step.reward());
    }
  }

  /** A call is no answer: the grader is given none. */
  @Test
  void anEpisodeThatIsCutIsGraded() {
    Map<String, Object> form = new HashMap<>(FORM);
    form.put("turns", 2);
    try (Episode episode = program("mcp", form).reset(3)) {
      assertEquals(false, episode.step("{\"name\": \"look\"}").truncated());
      Step step = episode.step("{\"name\": \"look\"}");
      assertTrue(step.truncated());
      assertEquals(-1, step.reward());
    }
  }

  @Test
  void mistakesAreNamed() throws Exception {
    refused(
        Programs.config("mcp_server.py", "mcp", Map.of("begin", "new_gam")),
        ".mcp.begin: the server has no tool 'new_gam' (it has new_game, move, look, score); did you"
            + " mean 'new_game'?");
    refused(
        Programs.config("mcp_server.py", "mcp", Map.of("tools", "mvoe")),
        ".mcp.tools: the server has no tool 'mvoe' (it has new_game, move, look, score); did you"
            + " mean 'move'?");
    refused(
        Programs.config("mcp_server.py", "mcp", FORM, "processes", 2),
        ".processes: expected absent: each episode has one of its own, found '2'");
    try (PythonServer server = PythonServer.start("mcp_server.py", "http")) {
      String url = "http://127.0.0.1:" + server.port() + "/mcp";
      refused(at(server, "x"), ": " + url + " answered with status 401: who are you?");
      Map<String, Object> socket = at(server, "k");
      socket.put("url", "ws://localhost");
      refused(
          socket,
          ".url: expected an address of http or https, as mcp is spoken, found 'ws://localhost'");
    }
  }

  private void refused(Map<String, Object> config, String complaint) {
    assertEquals(
        "custom_envs.Test.env_config" + complaint,
        userError(() -> Programs.scenario(environment, config)));
  }

  @Test
  void aGameThatDoesNotBeginCostsTheEpisode() {
    Scenario scenario = program("mcp", FORM, "options", Map.of("depth", 3));
    PeerException e = assertThrows(PeerException.class, () -> scenario.reset(1));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains("mcp_server.py: its tool new_game: Error: TypeError: "), message);
  }
}

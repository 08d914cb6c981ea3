package roll.env.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static roll.testkit.UserErrors.userError;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.bridge.PeerException;
import roll.testkit.TestOptions;

/** Functions and environments as TRL has them, in processes of the user's Python. */
@Tag("processes")
@Timeout(120)
class PythonToolsTest {
  private static final List<Map<String, Object>> ROWS =
      List.of(Map.of("question", "Count.", "start", 2));

  private final DatasetEnvironment environment = new DatasetEnvironment(Sets.of(ROWS));

  /** No process outlives the bundle. */
  @AfterEach
  void end() {
    environment.deactivate();
    assertEquals(
        List.of(),
        ProcessHandle.current()
            .descendants()
            .filter(ProcessHandle::isAlive)
            .filter(process -> process.info().commandLine().orElse("").contains("python3"))
            .toList());
  }

  private static Path file() {
    try {
      return Path.of(Objects.requireNonNull(PythonToolsTest.class.getResource("/game.py")).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private Scenario scenario(Map<String, Object> python) {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "no /usr/bin/python3");
    Map<String, Object> all = new HashMap<>(python);
    all.put("python", "/usr/bin/python3");
    return environment.configure(
        TestOptions.of(
            "env_config",
            Map.of("train_files", List.of("any"), "python", all),
            environment.options()));
  }

  private Scenario functions(String... names) {
    return scenario(
        Map.of(
            "tools",
            List.of(names).stream().map(name -> file() + ":" + name).toList(),
            "timeout",
            1.0));
  }

  private Scenario played(String type) {
    return scenario(Map.of("environment_factory", file() + ":" + type));
  }

  /** The expected schemas are what transformers 5.18.0 makes of the functions. */
  @Test
  void schemasAreThoseOfTransformers() {
    List<ToolSchema> tools = functions("add", "fails").tools();
    assertEquals("Adds two\nnumbers.", tools.getFirst().description());
    assertEquals(
        "{type=object, properties={a={type=integer, description=The first, an integer.},"
            + " b={type=integer, enum=[1, 2], description=The second}}, required=[a, b]}",
        tools.getFirst().parameters().toString());
    assertEquals(
        "{type=object, properties={how={type=string, enum=[raise, exit], description=As named.},"
            + " more={type=array, items={type=string}, nullable=true, description=Not read.}},"
            + " required=[how]}",
        tools.getLast().parameters().toString());
  }

  @Test
  void whatAFunctionRaisesIsToldAsInTrl() throws InterruptedException {
    try (Episode episode = functions("add", "fails", "picture").reset(0)) {
      assertEquals(ToolResult.of("3"), episode.call("add", Map.of("a", 1L, "b", 2L)));
      assertEquals(
          ToolResult.error("{'error': \"it's wrong\"}"),
          episode.call("fails", Map.of("how", "raise")));
      assertEquals(
          ToolResult.error("{'error': '3'}"), episode.call("fails", Map.of("how", "exit")));
      assertEquals(
          ToolResult.error("{'error': 'tools return texts only, no pictures'}"),
          episode.call("picture", Map.of()));
      assertEquals(0, episode.step("3").reward());
    }
  }

  @Test
  void aCallThatHangsIsEnded() throws InterruptedException {
    try (Episode episode = functions("hangs", "add").reset(0)) {
      assertEquals(
          ToolResult.error("{'error': 'hangs took longer than 1 s'}"),
          episode.call("hangs", Map.of("seconds", 1000)));
      assertEquals(ToolResult.of("3"), episode.call("add", Map.of("a", 1L, "b", 2L)));
    }
  }

  /** The episode whose call ended or blocked the process fails; the next one has a new process. */
  @ParameterizedTest
  @CsvSource({"dies, ended with status 5", "blocks, has not answered for 6.0 s"})
  void aProcessThatEndsIsStartedAgain(String tool, String told) throws InterruptedException {
    Scenario scenario = functions(tool, "add");
    try (Episode episode = scenario.reset(0)) {
      assertEquals(ToolResult.finish(""), episode.call(tool, Map.of()));
      PeerException e = assertThrows(PeerException.class, () -> episode.step(""));
      assertEquals("the tools in /usr/bin/python3 " + told, e.getMessage());
    }
    try (Episode episode = scenario.reset(0)) {
      assertEquals(ToolResult.of("3"), episode.call("add", Map.of("a", 1L, "b", 2L)));
    }
  }

  /** Each episode has an instance of its own, which grades it and whose state rewards receive. */
  @Test
  void methodsOfAnEnvironmentAreTools() throws InterruptedException {
    Scenario scenario = played("Counter");
    assertEquals(List.of("up"), scenario.tools().stream().map(ToolSchema::name).toList());
    try (Episode one = scenario.reset(0);
        Episode other = scenario.reset(0)) {
      assertEquals("Count. Begin at 2.", one.observation());
      assertEquals("Count. Begin at 2.", one.observed().text());
      assertEquals(ToolResult.of("now 5"), one.call("up", Map.of("by", 3L)));
      assertEquals(ToolResult.of("now 3"), other.call("up", Map.of("by", 1L)));
      assertEquals(0.5, one.step("5").reward());
      assertEquals(Map.of("reward/Counter", 0.3), other.step("3").metrics());
      assertEquals(Map.of("count", 5L, "calls", 1L), one.facts().get("environments"));
      assertEquals(2, one.facts().get("start"));
    }
  }

  @Test
  void anEnvironmentWithoutARewardLeavesItToTheRewards() throws InterruptedException {
    try (Episode episode = played("Silent").reset(0)) {
      assertEquals("Count. Silent.", episode.observation());
      assertEquals(ToolResult.of("{'waited': True}"), episode.call("wait", Map.of()));
      assertEquals(0, episode.step("5").reward());
    }
    String message =
        userError(
            () -> scenario(Map.of("environment_factory", file() + ":Silent", "get_reward", true)));
    assertTrue(message.contains("Silent has no get_reward"), message);
  }

  @Test
  void attributesThatAreNoJsonAreLeftOut() throws InterruptedException {
    try (Episode slotted = played("Slotted").reset(0);
        Episode nested = played("Nested").reset(0)) {
      assertEquals(ToolResult.of("1"), slotted.call("up", Map.of()));
      slotted.step("1");
      assertEquals(Map.of(), slotted.facts().get("environments"));
      nested.step("1");
      assertEquals(Map.of("count", 1L), nested.facts().get("environments"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing | AttributeError: {} has no function nothing",
        "no_docstring | TypeError: no_docstring has no docstring, which describes it to the model",
        "no_hint | TypeError: no_hint: its argument a has no type hint",
        "no_description | TypeError: no_description: its docstring has no description of a under"
            + " Args:",
      })
  void functionsThatCannotBeToolsAreRefused(String name, String told) {
    assertEquals(
        "env_config.python: the tools in /usr/bin/python3: " + told.replace("{}", "" + file()),
        userError(() -> functions(name)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Unprepared | Unprepared has no method reset",
        "Idle | Idle has no public method that is a tool",
        "Demanding | Demanding.__init__() missing 1 required positional argument: 'size'",
      })
  void classesThatCannotPlayAreRefused(String type, String told) {
    String message = userError(() -> played(type));
    assertTrue(message.contains("TypeError: " + told), message);
  }

  @Test
  void namesThatAreNoToolsAreRefused() {
    for (String written : List.of("add", "game.py", "game:add")) {
      String message = userError(() -> scenario(Map.of("tools", List.of(written))));
      assertTrue(message.endsWith(written + ": expected module.name or file.py:name"), message);
    }
    assertEquals(
        "env_config.python: the tools in /usr/bin/python3: ValueError: two tools are named add",
        userError(() -> functions("add", "add")));
    assertTrue(userError(() -> scenario(Map.of())).startsWith("env_config.python.tools: "));
  }

  @Test
  void aRowNeedsWhatResetRequires() {
    DatasetEnvironment other =
        new DatasetEnvironment(Sets.of(List.of(Map.of("question", "Count."))));
    Map<String, Object> python =
        Map.of("environment_factory", file() + ":Counter", "python", "/usr/bin/python3");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "no /usr/bin/python3");
    try {
      assertEquals(
          "set.jsonl:1: no column 'start', which reset of Counter requires (it has: question)",
          userError(
              () ->
                  other.configure(
                      TestOptions.of(
                          "env_config",
                          Map.of("train_files", List.of("any"), "python", python),
                          other.options()))));
    } finally {
      other.deactivate();
    }
  }
}

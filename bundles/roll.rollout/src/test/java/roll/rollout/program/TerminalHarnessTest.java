package roll.rollout.program;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.AgentRunnerConfig;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.data.Trajectory;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.api.strategy.Sampling;
import roll.env.terminal.TerminalEnvironment;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.pipeline.PolicyModel;
import roll.runtime.pipeline.RolloutEnvs;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;
import roll.testkit.InMemoryPluginRegistry;
import roll.workspace.local.LocalWorkspaces;

/** A coding agent works on generated tasks of the environment {@code terminal}, which grades it. */
@Tag("processes")
@NullMarked
@Timeout(300)
class TerminalHarnessTest {
  private static final Pattern TASK =
      Pattern.compile("Write the path of the file that has (\\w+) to answer\\.txt");

  private static final String SOLUTION = "grep -rl '%s' . | head -n 1 > answer.txt";
  private static final Gson GSON = new Gson();
  private static final int LENGTH = 1 << 20;

  private final List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
  private final LocalWorkspaces provider = new LocalWorkspaces();
  private final InMemoryPluginRegistry plugins =
      new InMemoryPluginRegistry().with("roll.workspace", "local", provider);

  @TempDir Path folder;

  /**
   * The rollout has closed its pool: no process of a workspace is left, and so none of its files.
   */
  @AfterEach
  void nothingIsLeft() {
    assertEquals(0, plugins.leased());
    await().until(() -> before.containsAll(ProcessHandle.current().descendants().toList()));
  }

  /**
   * Calls the shell once per episode.
   *
   * @param command of the tasks with the word {@link #victim}, where {@code %s} is the word
   * @param victim the word of the first task that is asked for
   */
  private record Model(String command, AtomicReference<String> victim) implements Generator {
    @Override
    public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
      return CompletableFuture.completedFuture(
          requests.stream()
              .map(request -> ChatKit.TOKENIZER.decode(request.prompt(), false))
              .map(prompt -> ChatKit.drawn(prompt.contains("[exit status") ? "done" : call(prompt)))
              .toList());
    }

    private String call(String prompt) {
      Matcher task = TASK.matcher(prompt);
      assertTrue(task.find(), prompt);
      String word = task.group(1);
      victim.compareAndSet("", word);
      String script = word.equals(victim.get()) ? command : SOLUTION;
      Map<String, Object> arguments = Map.of("command", script.formatted(word));
      return "<tool_call>\n%s\n</tool_call>"
          .formatted(GSON.toJson(Map.of("name", "shell", "arguments", arguments)));
    }
  }

  /** Plays two tasks; in the first the model calls {@code command}. */
  private RolloutResult play(String command) throws IOException {
    try (InputStream script = TerminalHarnessTest.class.getResourceAsStream("shell_agent.py");
        ProgramKit kit = ProgramKit.of(new TerminalEnvironment(plugins))) {
      String agent =
          new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
      AgentRunnerConfig harness =
          new AgentRunnerConfig(
              List.of("python3", "{home}/agent.py", "{base_url}", "{api_key}", "{question}"),
              Map.of(),
              5,
              0,
              false,
              true,
              Map.of("agent.py", agent));
      Map<String, Object> options =
          Map.of("generate", "find", "network", true, "disk_limit", 16, "process_limit", 32);
      EnvConfig env =
          new EnvConfig(
              "A",
              "counting",
              "program",
              EnvLimits.steps(5),
              PromptConfig.of("{observation}"),
              options,
              List.of(),
              null,
              harness);
      return kit.service
          .play(
              new RolloutRequest(
                  "train",
                  42,
                  0,
                  2,
                  new RolloutEnvs(
                      new EnvManagerConfig(List.of("A"), List.of(2), 1, 0, "none", Sampling.of(99)),
                      Map.of("A", env),
                      new EnvMonitorConfig(60, 1, 3),
                      Set.of()),
                  new PolicyModel(
                      "native",
                      ChatKit.tokenizer(folder),
                      new Model(command, new AtomicReference<>("")),
                      LENGTH),
                  Map.of(),
                  0))
          .join();
    }
  }

  private static List<Double> scores(RolloutResult result) {
    return result.trajectories().stream().map(Trajectory::score).sorted().toList();
  }

  @Test
  void theTestsOfTheTaskGiveTheReward() throws IOException {
    RolloutResult solved = play(SOLUTION);
    assertEquals(List.of(), solved.faults());
    assertEquals(List.of(1.0, 1.0), scores(solved));
    for (Trajectory played : solved.trajectories()) {
      assertEquals(2.0, played.metrics().get("num_actions"));
      assertEquals(1, played.sequences().size());
      assertEquals(2, ChatKit.trained(played.sequences().getFirst()).size());
    }
    assertEquals(List.of(0.0, 1.0), scores(play("echo %s > answer.txt")));
  }

  /** The workspace is graded as it is when time or room of the agent is used up. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sleep 1000",
        "while :; do setsid sleep 1000 & done",
        "head -c 1000000000 /dev/zero > big; for i in $(seq 20000); do echo > $i; done",
        "rm -rf ./* ~"
      })
  void anAgentThatDoesHarmEarnsNothing(String command) throws IOException {
    RolloutResult result = play(command);
    assertEquals(List.of(), result.faults());
    assertEquals(List.of(0.0, 1.0), scores(result));
  }

  /** The group of a killed agent is replaced by another. */
  @Test
  void anAgentThatIsKilledIsAFault() throws IOException {
    RolloutResult result = play("kill -9 $PPID");
    assertEquals(List.of(1.0, 1.0), scores(result));
    assertEquals(1, result.faults().size());
    String problem = result.faults().getFirst().problem();
    assertTrue(problem.contains("the program exited with status "), problem);
  }
}

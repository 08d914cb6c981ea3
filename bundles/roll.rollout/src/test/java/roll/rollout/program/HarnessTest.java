package roll.rollout.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.AgentRunnerConfig;
import roll.api.data.Trajectory;
import roll.rollout.supervise.EnvironmentException;
import roll.runtime.pipeline.RolloutResult;

/** Agents that know nothing of episodes, and what they leave behind. */
@Tag("processes")
@NullMarked
@Timeout(300)
class HarnessTest {
  private static final String CONFIG =
      """
      {"url": "{base_url}", "key": "{api_key}", "model": "{model}", "no": "{placeholder}"}
      """;

  @TempDir Path folder;

  /** Plays an episode with an agent that ends as {@code end} says. */
  private RolloutResult play(String end, double timeout) throws IOException {
    List<String> command =
        new ArrayList<>(ProgramKit.python(folder, "harness.py", folder.toString(), end));
    command.add("Now {question}");
    AgentRunnerConfig harness =
        new AgentRunnerConfig(
            command,
            Map.of("WORK", "{work}"),
            timeout,
            0,
            false,
            true,
            Map.of(".agent/config.json", CONFIG));
    try (ProgramKit kit = new ProgramKit()) {
      RolloutResult result = kit.play(harness, 1, 1);
      assertNothingLeft();
      return result;
    }
  }

  private void assertNothingLeft() throws IOException {
    JsonObject left =
        JsonParser.parseString(Files.readString(folder.resolve("left"))).getAsJsonObject();
    Path home = Path.of(left.get("home").getAsString());
    assertFalse(Files.exists(home, LinkOption.NOFOLLOW_LINKS), home + " is there");
    Path folderOfEpisode = Objects.requireNonNull(home.getParent());
    assertFalse(Files.exists(folderOfEpisode, LinkOption.NOFOLLOW_LINKS), home + " is there");
    assertTrue(
        ProcessHandle.of(left.get("child").getAsLong())
            .map(child -> child.onExit().orTimeout(10, TimeUnit.SECONDS).join() != null)
            .orElse(true));
    assertTrue(Files.exists(folder.resolve("harness.py")), "a link out of the home was followed");
  }

  @Test
  void anAgentPlaysInAHomeOfItsOwn() throws IOException {
    RolloutResult result = play("exits", 60);
    assertEquals(List.of(), result.faults());
    Trajectory played = result.trajectories().getFirst();
    assertTrue(played.messages().getFirst().content().startsWith("Now at "));
    String said = played.messages().getLast().content();
    assertEquals(said.equals("+") ? 1.0 : 0.0, played.metrics().get("ups"));
  }

  @Test
  void anAgentWhoseRequestsAreUsedUpHasPlayed() throws IOException {
    RolloutResult result = play("asks", 60);
    assertEquals(List.of(), result.faults());
    assertEquals(5.0, result.trajectories().getFirst().metrics().get("num_actions"));
  }

  @Test
  void anAgentWhoseTimeIsUpHasPlayed() throws IOException {
    RolloutResult result = play("hangs", 5);
    assertEquals(List.of(), result.faults());
    assertEquals(1.0, result.trajectories().getFirst().metrics().get("num_actions"));
  }

  @Test
  void anAgentThatFailsIsAFault() throws IOException {
    CompletionException fault = assertThrows(CompletionException.class, () -> play("fails", 60));
    String problem = String.valueOf(fault.getMessage());
    assertTrue(problem.endsWith("the program exited with status 3"), problem);
    assertNothingLeft();
  }

  @Test
  void oneThatIsNotInstalledIsNamed() {
    AgentRunnerConfig missing =
        new AgentRunnerConfig(List.of("no-such-agent"), Map.of(), 5, 0, false, true, Map.of());
    try (ProgramKit kit = new ProgramKit()) {
      CompletionException fault =
          assertThrows(CompletionException.class, () -> kit.play(missing, 1, 1));
      String problem = String.valueOf(fault.getCause().getMessage());
      assertTrue(problem.endsWith("'no-such-agent' is not an executable on the PATH"), problem);
    }
  }

  @Test
  void filesStayInTheHome(@TempDir Path folders) throws IOException {
    AgentRunnerConfig outside =
        new AgentRunnerConfig(
            List.of("true"), Map.of(), 5, 0, false, true, Map.of("../../out", "x"));
    AgentTask task = new AgentTask("{}", Map.of(), Map.of());
    ProcessGroup groups = ProcessGroup.ofThisSystem();
    String problem =
        String.valueOf(
            assertThrows(
                    EnvironmentException.class,
                    () -> AgentProcess.start("a", groups, outside, task, folders))
                .getMessage());
    assertTrue(problem.endsWith("'../../out' is not in the home"), problem);
    try (Stream<Path> left = Files.list(folders)) {
      assertEquals(List.of(), left.toList());
    }
  }
}

package roll.rollout.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.AgentRunnerConfig;
import roll.api.data.Trajectory;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.HarnessWorkspace;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.option.Options;
import roll.api.sandbox.Isolation;
import roll.api.workspace.Workspace;
import roll.api.workspace.WorkspaceLimits;
import roll.api.workspace.WorkspacePool;
import roll.api.workspace.WorkspaceTemplate;
import roll.runtime.pipeline.RolloutResult;
import roll.workspace.local.LocalWorkspaces;

/** Harnesses in the workspace of an episode, which grades what they leave there. */
@Tag("processes")
@NullMarked
@Timeout(300)
class WorkspaceRunTest {
  @TempDir Path template;

  @BeforeEach
  void onlyWithPython() {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "no /usr/bin/python3");
  }

  /** Asks for one response and does as the argument says. */
  private RolloutResult play(String end, double timeout) throws IOException {
    List<String> command = ProgramKit.python(template, "inside.py", end, "{question}");
    command.set(1, "{work}/inside.py");
    AgentRunnerConfig harness =
        new AgentRunnerConfig(
            command,
            Map.of("WORK", "{work}"),
            timeout,
            0,
            false,
            true,
            Map.of(".agent/config.json", "{\"url\": \"{base_url}\", \"key\": \"{api_key}\"}"));
    try (WorkspacePool pool =
            new LocalWorkspaces()
                .open(new WorkspaceLimits(1L << 30, 64, 1L << 28, true, Isolation.BEST_EFFORT), 1);
        ProgramKit kit = ProgramKit.of(new Graded(pool, template))) {
      return kit.play(harness, 1, 1);
    }
  }

  private static Trajectory played(RolloutResult result) {
    assertEquals(List.of(), result.faults());
    return result.trajectories().getFirst();
  }

  @Test
  void whatItLeavesIsGraded() throws IOException {
    Trajectory played = played(play("writes", 60));
    assertEquals(1.0, played.metrics().get("left"));
    assertTrue(played.messages().getFirst().content().startsWith("a question"));
  }

  @Test
  void whatOneLeavesThatTakesTooLongIsGraded() throws IOException {
    assertEquals(1.0, played(play("hangs", 5)).metrics().get("left"));
  }

  @Test
  void whatOneLeavesWhoseRequestsAreUsedUpIsGraded() throws IOException {
    Trajectory played = played(play("asks", 60));
    assertEquals(1.0, played.metrics().get("left"));
    assertEquals(5.0, played.metrics().get("num_actions"));
  }

  @Test
  void oneThatFailsIsAFault() {
    String problem =
        String.valueOf(
            assertThrows(CompletionException.class, () -> play("fails", 60)).getMessage());
    assertTrue(problem.endsWith("the program exited with status 3: it failed"), problem);
  }

  /** An environment that grades the file {@code left} of its workspace. */
  private record Graded(WorkspacePool pool, Path template) implements Environment {
    @Override
    public String description() {
      return "Leave a file.";
    }

    @Override
    public Scenario configure(Options options) {
      return Scenario.of("", _ -> new Grading(take()));
    }

    private Workspace take() {
      try {
        return pool.take(new WorkspaceTemplate(template, null, null));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private record Grading(Workspace place) implements Episode {
    @Override
    public String observation() {
      return "a question";
    }

    @Override
    public Optional<HarnessWorkspace> workspace() {
      return Optional.of(new HarnessWorkspace(place, Map.of("OF_TASK", "a value")));
    }

    @Override
    public Step step(String response) {
      try {
        String left = new String(place.read("left", 100), StandardCharsets.UTF_8);
        double reward = left.equals("a value") ? 1 : 0;
        return new Step("", reward, true, false, Map.of("left", reward));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      place.close();
    }
  }
}

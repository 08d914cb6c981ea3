package roll.rollout.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.AgentRunnerConfig;
import roll.api.data.Trajectory;
import roll.rollout.CharTokenizer;
import roll.runtime.pipeline.EpisodeFault;
import roll.runtime.pipeline.RolloutResult;

/** Episodes that real programs play, and those that go wrong. */
@Tag("processes")
@NullMarked
@Timeout(300)
class ProgramEpisodesTest {
  @TempDir Path folder;

  private AgentRunnerConfig runner(List<String> command, double timeout, int processes) {
    return new AgentRunnerConfig(command, Map.of(), timeout, processes, false);
  }

  @Test
  void aProgramPlaysAnEpisodeAndSaysWhatItWasWorth() throws IOException {
    try (ProgramKit kit = new ProgramKit()) {
      var command = ProgramKit.python(folder, "moody.py", folder.toString(), "never");
      RolloutResult result = kit.play(runner(command, 60, 0), 1, 2);
      assertEquals(2, result.trajectories().size());
      for (Trajectory played : result.trajectories()) {
        assertEquals(1, played.sequences().size());
        int[] tokens = played.sequences().getFirst().tokens();
        int sign = tokens[tokens.length - 2];
        String said = CharTokenizer.chatMl().decode(new int[] {sign}, false);
        assertEquals(said, played.messages().getLast().content());
        assertEquals(said, played.answer());
        assertEquals(1.0, played.metrics().get("asked"));
        assertArrayEquals(new double[] {-0.125 + 0.25}, played.rewards(), "world and program");
        assertEquals(said.equals("+") ? 1.0 : 0.0, played.metrics().get("ups"));
      }
      assertEquals(0, kit.game.open.get());
    }
  }

  @Test
  void aRewardThatIsNoNumberCostsItsOwnEpisode() throws IOException {
    try (ProgramKit kit = new ProgramKit()) {
      var command =
          ProgramKit.python(folder, "moody.py", folder.toString(), "never", "unsure", "never");
      RolloutResult result = kit.play(runner(command, 60, 0), 1, 3);
      assertEquals(
          List.of(true, false, true), result.trajectories().stream().map(t -> t.graded()).toList());
      assertEquals(0, result.trajectories().get(1).score());
      assertEquals(1.0, result.metrics().get("env/A/reward/ungraded"));
      assertEquals(0.0, result.metrics().get("scheduler/failed_episodes"));
      String problem = result.faults().getFirst().problem();
      assertTrue(
          problem.endsWith(
              "the environment manager returned a reward that is not finite; the episode counts as"
                  + " failed"),
          problem);
    }
  }

  @Test
  void aProgramThatGoesWrongCostsItsOwnEpisode() throws IOException {
    try (ProgramKit kit = new ProgramKit()) {
      String[] wrongs = {
        folder.toString(), "hangs", "dies", "garbage", "silent", "loud", "never", "never", "never"
      };
      RolloutResult result =
          kit.play(runner(ProgramKit.python(folder, "moody.py", wrongs), 5, 0), 1, 8);
      assertEquals(8, result.trajectories().size());
      Set<String> said =
          result.faults().stream().map(EpisodeFault::problem).collect(Collectors.toSet());
      for (String part :
          List.of(
              "the program took longer than 5.0 s",
              "the program exited with status 1: no more",
              "the program's last line is not a JSON object: what do I know",
              "the program sent no request to the policy",
              "the program wrote more than 16,777,216 bytes of output")) {
        assertTrue(said.stream().anyMatch(line -> line.endsWith("): " + part)), said + part);
      }
      assertEquals(5.0, result.metrics().get("scheduler/failed_episodes"));
      assertEquals(1.0, result.metrics().get("env/A/timeouts"));
      assertEquals(0, children(), "what the program that hung had started still runs");
    }
  }

  /**
   * The number of of the processes whose ids programs left in files still run. One that was killed
   * is there until the system's first process has collected it, which it need not do at once.
   */
  private long children() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> !file.toString().endsWith(".py"))
          .map(ProgramEpisodesTest::written)
          .filter(text -> !text.isEmpty())
          .flatMap(id -> ProcessHandle.of(Long.parseLong(id)).stream())
          .filter(process -> !ended(process))
          .count();
    }
  }

  private static boolean ended(ProcessHandle process) {
    try {
      process.onExit().get(10, TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String written(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void twoHundredEpisodesAreInPlayAtOnceInOneProcess() throws IOException {
    try (ProgramKit kit = new ProgramKit()) {
      var waiting =
          new AgentRunnerConfig(ProgramKit.python(folder, "crowd.py"), Map.of(), 60, 1, true);
      RolloutResult result = kit.play(waiting, 25, 8);
      assertEquals(200, result.trajectories().size());
      assertEquals(0.0, result.metrics().get("scheduler/failed_episodes"));
      assertEquals(200, kit.policy.largestCall());
    }
  }

  /** The first episode asks when all others have been answered, whatever the policy can do. */
  @Test
  void nobodyWaitsForAProgramThatThinks() throws IOException {
    try (ProgramKit kit = new ProgramKit()) {
      RolloutResult result = kit.play(runner(ProgramKit.python(folder, "late.py"), 60, 1), 2, 4);
      assertEquals(List.of(), result.faults());
      assertEquals(8, result.trajectories().size());
    }
  }

  @Test
  void aSharedProcessThatDiesIsStartedAgain() throws IOException {
    try (ProgramKit kit = new ProgramKit()) {
      String mark = folder.resolve("died").toString();
      RolloutResult result =
          kit.play(runner(ProgramKit.python(folder, "crowd.py", mark), 60, 1), 1, 4);
      assertEquals(4, result.trajectories().size());
      assertTrue(
          result
              .faults()
              .getFirst()
              .problem()
              .endsWith("ended with status 1 without a result: not today"),
          result.faults().toString());
    }
  }

  @Test
  void whatCannotBeStartedIsSaidBefore() {
    try (ProgramKit kit = new ProgramKit()) {
      CompletionException e =
          assertThrows(
              CompletionException.class,
              () -> kit.play(runner(List.of("no-such-agent"), 5, 0), 1, 1));
      assertEquals(
          "custom_envs.A.agent_runner.command: 'no-such-agent' is not an executable on the PATH",
          String.valueOf(e.getCause().getMessage()));
    }
  }

  /** Scripts are sought where the program is started; text for a shell is no file. */
  @Test
  void aScriptThatIsNotThereIsSaidBefore() throws IOException {
    try (ProgramKit kit = new ProgramKit()) {
      String nope = Path.of("nope.py").toAbsolutePath().toString();
      assertEquals(
          "custom_envs.A.agent_runner.command: there is no file 'nope.py' (" + nope + ")",
          userError(() -> check(kit, "/bin/sh", "-u", "nope.py", "other.py")));
      String script = Files.createFile(folder.resolve("agent.py")).toString();
      check(kit, "/bin/sh", script, "nope.py");
      check(kit, "/bin/sh", "-c", "nope.sh");
      check(kit, "/bin/sh", "run", "nope.py");
      check(kit, "/bin/sh");
    }
  }

  private void check(ProgramKit kit, String... command) {
    kit.manager.check(ProgramKit.env(runner(List.of(command), 5, 0)));
  }
}

package roll.sweep;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.runtime.sweep.SweepRequest;
import roll.runtime.sweep.SweepResult;
import roll.runtime.sweep.SweepRun;
import roll.runtime.sweep.SweptRun;
import roll.runtime.sweep.SweptRun.State;

/** Sweeps whose runs are a program of the shell that writes a line of metrics. */
@Tag("processes")
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class ProcessSweeperTest {
  @TempDir Path folder;
  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

  private Path sweep() {
    return folder.resolve("small-sweep");
  }

  private SweepRun start(int jobs, String... keys) {
    return SmallSweeps.of(folder)
        .start(new SweepRequest(Path.of("a.yaml"), List.of(keys), false, jobs, null), lines::add);
  }

  private SweepResult end(SweepRun run) throws InterruptedException {
    try {
      return run.outcome().get();
    } catch (ExecutionException e) {
      throw (UserException) Objects.requireNonNull(e.getCause());
    }
  }

  private static List<State> states(SweepResult result) {
    return result.runs().stream().map(SweptRun::state).toList();
  }

  @Test
  void everyCombinationIsRunAndNoneTwice() throws Exception {
    SweepResult result = end(start(2, "fail=0", "seed=[1,2,3]"));
    assertEquals(List.of(State.FINISHED, State.FINISHED, State.FINISHED), states(result));
    assertEquals(0.2, result.groups().getFirst().last() == null ? -1 : mean(result), 1e-12);
    assertTrue(Files.exists(sweep().resolve("sweep.png")));
    assertEquals("begun\n", Files.readString(sweep().resolve("small_seed=2/calls")));

    SweepRun more = start(1, "fail=0", "seed=[2,4]");
    assertEquals("2 runs, 1 already finished, at most 1 concurrent", more.notices().getLast());
    assertEquals(4, end(more).runs().size());
    assertEquals("begun\n", Files.readString(sweep().resolve("small_seed=2/calls")));
  }

  private static double mean(SweepResult result) {
    return Objects.requireNonNull(result.groups().getFirst().last()).mean();
  }

  /** Told with its own line; the others are run; the same command continues it. */
  @Test
  void aRunThatFailsStopsNoOther() throws Exception {
    SweepResult result = end(start(1, "fail=2", "seed=[1,2,3]"));
    assertEquals(List.of(State.FINISHED, State.FAILED, State.FINISHED), states(result));
    assertEquals("out of luck", result.runs().get(1).problem());
    assertTrue(lines.contains("[2/3] seed=2: failed: out of luck"), lines::toString);
    assertEquals(2, result.groups().getFirst().counted());

    Files.delete(
        sweep().resolve("small_seed=1/metrics.jsonl")); // who removes results wants new ones
    lines.clear();
    result = end(start(1, "fail=2", "seed=[1,2,3]"));
    assertEquals(List.of(State.FINISHED, State.FINISHED, State.FINISHED), states(result));
    assertNull(result.runs().get(1).problem());
    assertEquals("begun\ncontinued\n", Files.readString(sweep().resolve("small_seed=2/calls")));
    assertEquals("begun\n", Files.readString(sweep().resolve("small_seed=3/calls")));
    assertTrue(lines.getFirst().startsWith("[1/2] seed=1: continued"), lines::toString);
  }

  @Test
  void aSweepThatIsStoppedGoesOn() throws Exception {
    SweepRun run = start(1, "wait=2", "seed=[1,2,3]");
    await()
        .atMost(Duration.ofMinutes(5))
        .until(() -> Files.exists(sweep().resolve("small_seed=2/calls")));
    String message = userError(() -> start(1, "wait=2", "seed=[1]"));
    String me = "process " + ProcessHandle.current().pid();
    assertEquals("sweep folder " + sweep() + " is in use by " + me, message);
    run.stop();
    assertEquals(List.of(State.FINISHED, State.STOPPED, State.WAITING), states(end(run)));
    assertFalse(Files.exists(sweep().resolve("small_seed=3")));
    assertEquals(3, SmallSweeps.of(folder).show(sweep(), "val/score/mean").runs().size());
  }

  @Test
  void whatIsAnotherSweepIsRefused() throws Exception {
    SweepResult first = end(start(1, "fail=0", "seed=[1]"));
    assertEquals(1, first.runs().size());
    assertEquals(
        "sweep: %s has the run seed=1 with another configuration: set another exp_name or output_dir"
            .formatted(sweep()),
        complaint("fail=9", "seed=[1]"));
    assertEquals(
        "sweep: %s contains another sweep (train of seed, not train of gamma): set another exp_name or output_dir"
            .formatted(sweep()),
        complaint("gamma=[1]"));
    Files.writeString(sweep().resolve("sweep.json"), "{\"runs\":[{}]}");
    assertEquals(
        sweep().resolve("sweep.json") + " is damaged: it is not a record of a sweep",
        complaint("fail=0", "seed=[1]"));
    Files.delete(sweep().resolve("sweep.json"));
    assertEquals(
        "sweep: %s exists and contains no sweep: set another exp_name or output_dir"
            .formatted(sweep()),
        complaint("fail=0", "seed=[1]"));
  }

  @Test
  void aFileInThePlaceOfTheFolderIsRefused() throws IOException {
    Files.createFile(sweep());
    assertEquals(
        "sweep folder %s cannot be written: %1$s is a file".formatted(sweep()),
        complaint("seed=[1]"));
  }

  /** If the record cannot be written, running processes are ended and the failure is reported. */
  @Test
  void aFolderThatIsLostEndsTheSweep() throws Exception {
    SweepRun run = start(1, "lose=1", "seed=[1,2]");
    String message = userError(() -> end(run));
    assertTrue(message.contains("sweep.json cannot be written: "), message);
  }

  private String complaint(String... keys) {
    return userError(() -> start(1, keys));
  }
}

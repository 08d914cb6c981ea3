package roll.cnf;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./roll sweep} with runs that are killed, stopped and resumed. */
@Tag("processes")
@DisabledOnOs(OS.WINDOWS)
@Timeout(900)
class SweepTest {
  private static final Pattern STEP = Pattern.compile("\\{\"step\":(\\d+),");

  @TempDir Path output;

  private Path run(int seed) {
    return output.resolve("frozen_lake-sweep/frozen_lake_seed=" + seed);
  }

  private String sweep(String... arguments) throws Exception {
    try (SweepProcess process = SweepProcess.of(output, arguments)) {
      return process.end();
    }
  }

  @Test
  void aSweepGrowsAndRunsNothingTwice() throws Exception {
    String said = sweep("max_steps=2", "eval_steps=1", "save_steps=2", "seed=[1,2]", "--jobs", "2");
    assertTrue(said.startsWith("0: "), said);
    assertTrue(said.contains("all seeds    2 of 2  "), said);
    assertTrue(Files.size(output.resolve("frozen_lake-sweep/sweep.png")) > 10_000);
    long written = Files.getLastModifiedTime(run(1).resolve("metrics.jsonl")).toMillis();

    said = sweep("max_steps=2", "eval_steps=1", "save_steps=2", "seed=[2,1,3]", "--json");
    assertTrue(said.startsWith("0: {\"folder\":\""), said);
    assertEquals(1, said.strip().lines().count(), said);
    assertTrue(said.contains("\"runs\":3,\"counted\":3,"), said);
    assertEquals(written, Files.getLastModifiedTime(run(1).resolve("metrics.jsonl")).toMillis());

    said = sweep("max_steps=3", "eval_steps=1", "save_steps=2", "seed=[1]");
    assertTrue(said.startsWith("2: roll: sweep: "), said);
    assertTrue(
        said.contains("has the run seed=1 with another configuration (now max_steps: 3)"), said);
    said = sweep("max_steps=2", "eval_steps=1", "save_steps=2", "gamma=[0.5]");
    assertTrue(said.contains("contains another sweep (train of seed, not train of gamma)"), said);
  }

  /** A killed sweep is resumed: each step occurs once. */
  @Test
  void aKilledSweepIsResumed() throws Exception {
    String[] arguments = {"max_steps=30", "eval_steps=0", "save_steps=0", "seed=[1,2]"};
    try (SweepProcess process = SweepProcess.of(output, arguments)) {
      process.awaitSteps(run(1), 3);
      process.signal("KILL");
    }
    await().atMost(Duration.ofMinutes(5)).until(() -> !Files.exists(run(1).resolve(".owner")));
    assertTrue(steps(run(1)).size() < 30, () -> "it has made all its steps");
    String said = sweep(arguments);
    assertTrue(said.startsWith("0: "), said);
    assertTrue(said.contains("[1/2] seed=1: continued"), said);
    assertTrue(said.contains("[2/2] seed=2: started"), said);
    for (int seed = 1; seed <= 2; seed++) {
      assertEquals(java.util.stream.IntStream.range(0, 30).boxed().toList(), steps(run(seed)));
    }
    String log = Files.readString(run(1).resolve("run.log"));
    assertTrue(log.contains("resuming from"), log);
  }

  /**
   * A killed run is reported, the folder is locked by one sweep, and a signal saves. SIGTERM, since
   * background processes of a shell ignore SIGINT.
   */
  @Test
  void aKilledRunIsReportedAndASignalSaves() throws Exception {
    String[] arguments = {"max_steps=2000", "eval_steps=0", "save_steps=0", "seed=[1,2]"};
    try (SweepProcess process = SweepProcess.of(output, arguments)) {
      process.awaitSteps(run(1), 1);
      String other = sweep(arguments);
      assertTrue(other.startsWith("2: roll: sweep folder "), other);
      assertTrue(other.contains(" is in use by process " + process.process().pid()), other);
      SweepProcess.signalRun(run(1), "KILL");
      process.awaitSteps(run(2), 1);
      process.signal("TERM");
      String said = process.end();
      assertTrue(said.contains("\nseed=1: killed by signal 9"), said);
      assertTrue(said.contains("[2/2] seed=2: stopped, saved"), said);
      assertTrue(said.contains("1 runs are not finished"), said);
    }
    try (var entries = Files.list(run(2))) {
      assertTrue(entries.anyMatch(entry -> entry.toString().contains("checkpoint-")));
    }
    assertFalse(Files.exists(run(2).resolve(".owner")));
    String shown = show();
    assertTrue(shown.startsWith("0: "), shown);
    assertTrue(shown.contains("seed=2  stopped"), shown);
  }

  private String show() throws Exception {
    Path folder = output.resolve("frozen_lake-sweep");
    List<String> words = List.of("sweep", "show", folder.toString());
    try (SweepProcess process = SweepProcess.roll(output, words)) {
      return process.end();
    }
  }

  private static List<Integer> steps(Path folder) throws IOException {
    Matcher step = STEP.matcher(Files.readString(folder.resolve("metrics.jsonl")));
    return step.results().map(found -> Integer.parseInt(found.group(1))).toList();
  }
}

package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.TrainingRun;

/**
 * Environment, estimator, loss and tracker are replaced in turn, one per step, during a run. {@code
 * ROLL_SWAPS=1000} in the environment sets the number.
 */
@Tag("framework")
class SwapTest {
  private static final int SWAPS =
      Integer.parseInt(Objects.requireNonNullElse(System.getenv("ROLL_SWAPS"), "40"));

  private final Path folder;

  SwapTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  @Timeout(7200)
  void replacesPluginsInEveryStep() throws Exception {
    try (BundleVersions lake = BundleVersions.stampedLake();
        BundleVersions estimator = BundleVersions.of("roll.estimator.grpo");
        BundleVersions loss = BundleVersions.of("roll.loss.ppo");
        BundleVersions tracker = BundleVersions.of("roll.tracking.jsonl")) {
      double before = secondsPerStep(start("before"), SWAPS / 4, List.of(), new ArrayList<>());
      List<BundleVersions> editions = List.of(lake, estimator, loss, tracker);
      List<Memory> memory = new ArrayList<>();
      TrainingRun run = start("swapped");
      double swapped = secondsPerStep(run, SWAPS, editions, memory);
      int steps = run.outcome().get().steps();
      assertTrajectories(run.folder(), steps, SWAPS / 4);
      double after = secondsPerStep(start("after"), SWAPS / 4, List.of(), new ArrayList<>());
      double alone = Math.min(before, after);
      long alive = collected(editions);
      System.out.printf(
          Locale.ROOT,
          "%d swaps in %d steps: %.3f s a step, without %.3f s before and %.3f s after (%+.1f %%);"
              + " class loaders left: %d; megabytes of heap after a collection %s, resident %s%n",
          SWAPS,
          steps,
          swapped,
          before,
          after,
          100 * (swapped / alone - 1),
          alive,
          memory.stream().map(Memory::heap).toList(),
          memory.stream().map(Memory::resident).toList());
      assertEquals(0, alive, "class loaders of replaced versions");
    }
  }

  private TrainingRun start(String name) {
    return SmallRuns.start(
        "frozen_lake.yaml",
        folder,
        List.of(
            "exp_name=" + name,
            "custom_envs.FrozenLake.env_type=stamped",
            "rollout_batch_size=16",
            "train_env_manager.num_env_groups=2",
            "max_steps=100000",
            "eval_steps=0",
            "save_steps=100000",
            "logging_steps=1",
            "track_with=[jsonl]"));
  }

  /** Memory usage in megabytes. */
  private record Memory(long heap, long resident) {}

  /**
   * Returns the seconds per step from the third on, while {@code times} updates of {@code editions}
   * in turn take place; stops the run afterwards.
   */
  private static double secondsPerStep(
      TrainingRun run, int times, List<BundleVersions> editions, List<Memory> memory)
      throws Exception {
    waitFor(run, 2);
    int first = run.status().step();
    long begun = System.nanoTime();
    for (int i = 0; i < times; i++) {
      if (!editions.isEmpty()) {
        editions.get(i % editions.size()).update();
      }
      if (i % Math.max(1, SWAPS / 5) == SWAPS / 10) {
        memory.add(memory());
      }
      waitFor(run, run.status().step() + 1);
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    int steps = run.status().step() - first;
    run.stop();
    assertTrue(run.outcome().get().interrupted());
    assertEquals(State.STOPPED, run.status().state());
    return seconds / steps;
  }

  private static void waitFor(TrainingRun run, int step) throws Exception {
    Waits.until(() -> run.status().step() >= step || !run.status().state().active());
  }

  private static Memory memory() throws Exception {
    System.gc();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
    Path status = Path.of("/proc/self/status");
    long resident =
        Files.exists(status)
            ? Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 10)
                .sum()
            : 0;
    return new Memory(heap, resident);
  }

  /** Each trajectory names the version of the environment that played it. */
  private static void assertTrajectories(Path run, int steps, int versions) throws Exception {
    Set<String> seen = new TreeSet<>();
    for (int step = 0; step < steps; step++) {
      Path file = run.resolve("trajectories/step-" + step + ".jsonl");
      Set<String> ofStep = new TreeSet<>();
      for (String line : Files.readAllLines(file)) {
        JsonObject trajectory = JsonParser.parseString(line).getAsJsonObject();
        int version = (int) trajectory.getAsJsonObject("metrics").get("version").getAsDouble();
        String environment = trajectory.get("environment").getAsString();
        assertEquals("stamped.lake 1.0." + version, environment);
        ofStep.add(environment);
      }
      assertEquals(1, ofStep.size(), () -> "environments of one step: " + ofStep);
      seen.addAll(ofStep);
    }
    assertEquals(versions + 1, seen.size(), () -> "versions that played: " + seen);
    List<String> metrics = Files.readAllLines(run.resolve("metrics.jsonl"));
    assertEquals(steps, metrics.size(), "a line a step");
    JsonObject last = JsonParser.parseString(metrics.getLast()).getAsJsonObject();
    assertEquals(SWAPS, last.getAsJsonObject("metrics").get("system/swaps").getAsInt());
    String log = Files.readString(run.resolve("run.log"));
    for (String environment : seen) {
      assertTrue(log.contains(environment), environment);
    }
  }

  /** Returns the number of class loaders left after garbage collections. */
  private static long collected(List<BundleVersions> editions) throws InterruptedException {
    Waits.collect(50, () -> alive(editions) == 0);
    return alive(editions);
  }

  private static long alive(List<BundleVersions> editions) {
    return editions.stream().mapToLong(BundleVersions::alive).sum();
  }
}

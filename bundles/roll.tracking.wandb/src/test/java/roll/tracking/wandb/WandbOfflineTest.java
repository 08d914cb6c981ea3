package roll.tracking.wandb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracker.TrackedRun;
import roll.api.tracking.Tracking;
import roll.remote.MetricsUploadQueue.Patience;
import roll.testkit.TestOptions;
import roll.testkit.TrackerContract;

/** Runs that are kept for {@code wandb sync}. */
class WandbOfflineTest extends TrackerContract {
  @TempDir Path folder;

  @Override
  protected Tracker tracker() {
    return new WandbTracker(Map.of("WANDB_MODE", "offline"), Patience.STANDARD);
  }

  /** The history of the run without its times. */
  @Override
  protected Map<String, String> left(Path run) throws IOException {
    StringBuilder history = new StringBuilder();
    for (byte[] record : RecordReader.read(file(run))) {
      if (record[0] == (2 << 3 | 2)) {
        history.append(
            RecordReader.shown(record, true)
                .replaceAll("(_timestamp|_runtime)\\s+16: [0-9.E]+", "$1"));
      }
    }
    return new TreeMap<>(Map.of("history", history.toString()));
  }

  private static Path file(Path run) throws IOException {
    try (Stream<Path> files = Files.walk(run.resolve("wandb"))) {
      List<Path> found = files.filter(path -> path.toString().endsWith(".wandb")).toList();
      assertEquals(1, found.size(), found.toString());
      return found.getFirst();
    }
  }

  private TrackedRun run(Map<String, Object> options) {
    return new TrackedRun(
        "lake", folder, 9, 0, TestOptions.of("tracker_kwargs.wandb", options, tracker().options()));
  }

  @Test
  void aRunAsWandbSyncReadsIt() throws IOException {
    Map<String, Object> options = Map.of("project", "lakes", "tags", List.of("a", "b"));
    try (Tracking tracking = tracker().open(run(options))) {
      Files.writeString(folder.resolve("config.yaml"), "seed: 7\nalgo: {name: grpo}\n");
      Map<String, Double> metrics = new LinkedHashMap<>();
      metrics.put("loss", 0.5);
      metrics.put("nan", Double.NaN);
      tracking.log(300, metrics);
    }
    Path file = file(folder);
    String id = file.getFileName().toString().replaceAll("run-|\\.wandb", "");
    assertTrue(
        file.getParent().getFileName().toString().matches("offline-run-\\d{8}_\\d{6}-" + id));
    List<String> records =
        RecordReader.read(file).stream().map(record -> RecordReader.shown(record, true)).toList();
    assertEquals(4, records.size());
    String begun = records.getFirst();
    assertTrue(begun.startsWith("17: {\n  1: " + id + "\n  3: lakes\n"), begun);
    assertTrue(begun.contains("1: seed\n      16: 7\n"), begun);
    assertTrue(begun.contains("1: algo\n      16: {\"name\":\"grpo\"}\n"), begun);
    assertTrue(begun.contains("  8: lake\n  10: a\n  10: b\n  17: {\n"), begun);
    String history = records.get(1);
    assertTrue(history.startsWith("2: {\n"), history);
    assertTrue(history.contains("1: loss\n    16: 0.5\n"), history);
    assertTrue(history.contains("1: nan\n    16: \"NaN\"\n"), history);
    assertTrue(history.contains("1: _step\n    16: 300\n"), history);
    assertTrue(history.contains("  2: {\n    1: 300\n"), history);
    assertTrue(records.get(2).startsWith("3: {\n"), records.get(2));
    assertTrue(records.get(3).startsWith("18: {\n"), records.get(3));
  }

  @Test
  void aResumedRunHasOneEndAndLosesWhatACrashCut() throws IOException {
    for (int step = 0; step < 2; step++) {
      try (Tracking tracking = tracker().open(run(Map.of()))) {
        tracking.log(step, Map.of("a", 1.0));
      }
    }
    Path file = file(folder);
    long ends = RecordReader.read(file).stream().filter(r -> r[0] == (byte) 0x92).count();
    assertEquals(1, ends);
    Files.write(file, new byte[] {1, 2, 3, 4, 100, 0, 1, 9}, StandardOpenOption.APPEND);
    try (Tracking tracking = tracker().open(run(Map.of()))) {
      tracking.log(2, Map.of("a", 1.0));
    }
    long steps = RecordReader.read(file).stream().filter(r -> r[0] == (2 << 3 | 2)).count();
    assertEquals(3, steps);
  }

  @Test
  void recordsGoOverBlocks() throws IOException {
    Path file = folder.resolve("x.wandb");
    byte[] large = new byte[100_000];
    Arrays.fill(large, (byte) 3);
    int[] sizes = {100_000, 0, 32_740, 5, 32_768 - 7, 1};
    for (int size : sizes) {
      try (RecordLog log = new RecordLog(file)) {
        log.append(Arrays.copyOf(large, size));
      }
    }
    assertEquals(
        List.of(100_000, 0, 32_740, 5, 32_768 - 7, 1),
        RecordReader.read(file).stream().map(record -> record.length).toList());
  }
}

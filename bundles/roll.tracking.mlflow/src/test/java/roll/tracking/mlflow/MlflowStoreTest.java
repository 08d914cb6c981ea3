package roll.tracking.mlflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracker.TrackedRun;
import roll.api.tracking.Tracking;
import roll.remote.MetricsUploadQueue.Patience;
import roll.remote.TrackerRunFile;
import roll.testkit.TestOptions;
import roll.testkit.TrackerContract;

/** Without a server a run is in MLflow's store of files, beside the run's folder. */
class MlflowStoreTest extends TrackerContract {
  @TempDir Path folder;

  @Override
  protected Tracker tracker() {
    return new MlflowTracker(Map.of(), Patience.STANDARD);
  }

  /** The metrics of the run without their times. */
  @Override
  protected Map<String, String> left(Path run) throws IOException {
    TrackerRunFile file = Objects.requireNonNull(TrackerRunFile.read(run.resolve(MlflowRun.FILE)));
    Map<String, String> left = new TreeMap<>();
    Path metrics = only(run.resolveSibling("mlruns")).resolve(file.id()).resolve("metrics");
    try (Stream<Path> files = Files.walk(metrics)) {
      for (Path metric : files.filter(Files::isRegularFile).toList()) {
        left.put(
            metrics.relativize(metric).toString(),
            Files.readString(metric).replaceAll("(?m)^\\d+ ", ""));
      }
    }
    return left;
  }

  /** The one experiment in {@code store}. */
  private static Path only(Path store) throws IOException {
    try (Stream<Path> found = Files.list(store)) {
      List<Path> all = found.toList();
      assertEquals(1, all.size(), all.toString());
      return all.getFirst();
    }
  }

  private static Map<?, ?> yaml(Path file) throws IOException {
    return (Map<?, ?>)
        new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
  }

  private TrackedRun run(Map<String, Object> options) throws IOException {
    Path run = Files.createDirectories(folder.resolve("lake"));
    return new TrackedRun(
        "lake", run, 9, 0, TestOptions.of("tracker_kwargs.mlflow", options, tracker().options()));
  }

  @Test
  void aRunAsMlflowReadsIt() throws IOException {
    String store = folder.resolve("store").toUri().toString();
    Map<String, Object> options =
        Map.of(
            "tracking_uri", store, "experiment_name", "games: \"all\"", "tags", Map.of("a", "b"));
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("val/mean@4", 0.5);
    metrics.put("val", Double.NaN);
    metrics.put("../../out", 1.0);
    try (Tracking tracking = tracker().open(run(options))) {
      Files.writeString(
          folder.resolve("lake").resolve("config.yaml"), "seed: 7\nalgo: {name: grpo}\n");
      tracking.log(3, metrics);
    }
    Path experiment = only(folder.resolve("store"));
    assertEquals("games: \"all\"", yaml(experiment.resolve("meta.yaml")).get("name"));
    String id = yaml(experiment.resolve("meta.yaml")).get("experiment_id").toString();
    assertEquals(experiment.getFileName().toString(), id);
    TrackerRunFile file =
        Objects.requireNonNull(TrackerRunFile.read(folder.resolve("lake").resolve(MlflowRun.FILE)));
    Path place = experiment.resolve(file.id());
    Map<?, ?> meta = yaml(place.resolve("meta.yaml"));
    assertEquals(3, meta.get("status"));
    assertEquals("lake", meta.get("run_name"));
    assertEquals(file.id(), meta.get("run_id"));
    assertTrue((long) meta.get("end_time") >= (long) meta.get("start_time"));
    assertEquals("7", Files.readString(place.resolve("params/seed")));
    assertEquals("grpo", Files.readString(place.resolve("params/algo.name")));
    assertEquals("b", Files.readString(place.resolve("tags/a")));
    assertEquals("lake", Files.readString(place.resolve("tags/mlflow.runName")));
    assertTrue(
        Files.readString(place.resolve("metrics/val/mean_at_4")).matches("\\d{13} 0\\.5 3\n"));
    assertTrue(Files.readString(place.resolve("metrics/val.")).endsWith(" NaN 3\n"));
  }

  @Test
  void whereNothingCanBeWrittenTheRunGoesOn() throws IOException {
    Files.writeString(folder.resolve("taken"), "");
    String store = folder.resolve("taken").toString();
    try (Tracking tracking = tracker().open(run(Map.of("tracking_uri", store)))) {
      tracking.log(0, Map.of("a", 1.0));
    }
    assertEquals("", Files.readString(folder.resolve("taken")));
  }
}

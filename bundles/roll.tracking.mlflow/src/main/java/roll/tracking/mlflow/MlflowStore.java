package roll.tracking.mlflow;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.api.tracking.Tracking;
import roll.remote.TrackerRunFile;

/**
 * A run in MLflow's file store: {@code <experiment>/<run>/} with {@code meta.yaml}, and a file for
 * each metric, parameter and tag. As at a server, values are never replaced: of repeated steps the
 * first values stay.
 */
final class MlflowStore implements Tracking {
  private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();
  private static final int RUNNING = 1;
  private static final int FINISHED = 3;
  private static final long MAX_ID = 1_000_000_000_000_000_000L;

  private final Path store;
  private final MlflowDescription description;
  private final Path folder;
  private final Consumer<String> notices;
  private @Nullable TrackerRunFile file;
  private boolean failed;

  /**
   * A run in the store at {@code store}. It begins with the first metrics, when the run has written
   * its configuration.
   *
   * @param folder of the run, which keeps the id
   * @param notices called if the store cannot be written; the run continues
   */
  MlflowStore(Path store, MlflowDescription description, Path folder, Consumer<String> notices) {
    this.store = store.toAbsolutePath().normalize();
    this.description = description;
    this.folder = folder;
    this.notices = notices;
  }

  /** A file write that may fail. */
  private interface Writing {
    void perform() throws IOException;
  }

  private void attempt(Writing writing) {
    try {
      if (!failed) {
        writing.perform();
      }
    } catch (IOException | UncheckedIOException e) {
      failed = true;
      notices.accept(store + " cannot be written (" + e + "); metrics.jsonl has the metrics");
    }
  }

  /** Returns an id derived from the name, so that concurrent runs create one experiment. */
  private String experiment() {
    UUID named = UUID.nameUUIDFromBytes(description.experiment().getBytes(StandardCharsets.UTF_8));
    return description.experiment().equals("Default")
        ? "0"
        : String.valueOf((named.getMostSignificantBits() >>> 1) % MAX_ID);
  }

  private Path runFolder(TrackerRunFile run) {
    return store.resolve(experiment()).resolve(run.id());
  }

  private void begin() throws IOException {
    if (file != null) {
      return;
    }
    TrackerRunFile known = TrackerRunFile.read(folder.resolve(MlflowRun.FILE));
    long now = System.currentTimeMillis();
    TrackerRunFile run =
        known == null
            ? new TrackerRunFile(
                folder.resolve(MlflowRun.FILE),
                UUID.randomUUID().toString().replace("-", ""),
                now,
                -1)
            : known;
    file = run;
    Path place = runFolder(run);
    for (String part : new String[] {"metrics", "params", "tags", "artifacts"}) {
      Files.createDirectories(place.resolve(part));
    }
    experiment(now);
    state(run, RUNNING, null);
    if (known == null) {
      Map<String, String> tags = new LinkedHashMap<>();
      tags.put("mlflow.runName", description.name());
      tags.put("mlflow.source.name", "roll");
      tags.putAll(description.tags());
      for (Map.Entry<String, String> tag : tags.entrySet()) {
        Files.writeString(inside(place.resolve("tags"), tag.getKey()), tag.getValue());
      }
      Map<String, String> settings = MlflowNames.flat(RunConfigFile.read(folder));
      for (Map.Entry<String, String> setting : settings.entrySet()) {
        Files.writeString(inside(place.resolve("params"), setting.getKey()), setting.getValue());
      }
      run.write();
    }
  }

  private void experiment(long now) throws IOException {
    Path place = store.resolve(experiment());
    Map<String, Object> meta = new LinkedHashMap<>();
    meta.put("artifact_location", place.toUri().toString());
    meta.put("creation_time", now);
    meta.put("experiment_id", experiment());
    meta.put("last_update_time", now);
    meta.put("lifecycle_stage", "active");
    meta.put("name", description.experiment());
    if (!Files.exists(place.resolve("meta.yaml"))) {
      meta(place, meta);
    }
  }

  private void state(TrackerRunFile run, int status, @Nullable Long end) throws IOException {
    Path place = runFolder(run);
    Map<String, @Nullable Object> meta = new LinkedHashMap<>();
    meta.put("artifact_uri", place.resolve("artifacts").toUri().toString());
    meta.put("end_time", end);
    meta.put("entry_point_name", "");
    meta.put("experiment_id", experiment());
    meta.put("lifecycle_stage", "active");
    meta.put("run_id", run.id());
    meta.put("run_name", description.name());
    meta.put("run_uuid", run.id());
    meta.put("source_name", "");
    meta.put("source_type", 4); // local
    meta.put("source_version", "");
    meta.put("start_time", run.started());
    meta.put("status", status);
    meta.put("tags", new Object[0]);
    meta.put("user_id", System.getProperty("user.name", ""));
    meta(place, meta);
  }

  /** Writes {@code meta.yaml}; a JSON value is valid YAML. */
  private static void meta(Path place, Map<String, ? extends @Nullable Object> values)
      throws IOException {
    StringBuilder yaml = new StringBuilder();
    values.forEach(
        (name, value) ->
            yaml.append(name)
                .append(": ")
                .append(value == null ? "null" : GSON.toJson(value))
                .append('\n'));
    Files.writeString(place.resolve("meta.yaml"), yaml);
  }

  /**
   * Returns the file of {@code name} in {@code folder}: a path, with dots for slashes if a file has
   * the name of a folder.
   */
  private static Path inside(Path folder, String name) throws IOException {
    Path file = folder.resolve(MlflowNames.of(name).replace("..", "__"));
    Path parent = Objects.requireNonNull(file.getParent(), "a file below the folder");
    for (Path part = parent; part != null && !part.equals(folder); part = part.getParent()) {
      if (Files.isRegularFile(part)) {
        return folder.resolve(MlflowNames.of(name).replace("..", "__").replace('/', '.'));
      }
    }
    if (Files.isDirectory(file)) {
      return folder.resolve(MlflowNames.of(name).replace("..", "__").replace('/', '.') + ".");
    }
    Files.createDirectories(parent);
    return file;
  }

  @Override
  public void log(int step, Map<String, Double> metrics) {
    attempt(
        () -> {
          begin();
          TrackerRunFile run = file;
          if (run == null || step <= run.step()) {
            return;
          }
          long now = System.currentTimeMillis();
          for (Map.Entry<String, Double> metric : metrics.entrySet()) {
            Files.writeString(
                inside(runFolder(run).resolve("metrics"), metric.getKey()),
                "%d %s %d\n".formatted(now, metric.getValue(), step),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
          }
          TrackerRunFile sent = run.sent(step);
          file = sent;
          sent.write();
        });
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    attempt(
        () -> {
          begin();
          if (file != null) {
            state(file, FINISHED, System.currentTimeMillis());
          }
        });
  }
}

package roll.tracking.mlflow;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.remote.MetricsUploadQueue;
import roll.remote.MetricsUploadQueue.Row;
import roll.remote.TrackerRunFile;

/**
 * A run at the server, created or found by the id in its folder when there are metrics to send. The
 * server cannot replace values: of repeated steps it keeps the first.
 */
final class MlflowRun implements MetricsUploadQueue.Receiver {
  /** The file in the run's folder with the id. */
  static final String FILE = "mlflow-run.json";

  /** The maximum number of metrics, and of parameters, per request. */
  private static final int MAX_METRICS = 1000;

  private static final int MAX_PARAMETERS = 100;

  private final MlflowServer server;
  private final MlflowDescription description;
  private final Path folder;
  private @Nullable TrackerRunFile file;
  private boolean opened;

  MlflowRun(MlflowServer server, MlflowDescription description, Path folder) {
    this.server = server;
    this.description = description;
    this.folder = folder;
  }

  @Override
  public void take(List<Row> rows, boolean last) throws IOException, InterruptedException {
    TrackerRunFile run = opened && file != null ? file : open();
    for (Row row : rows) {
      if (row.step() > run.step()) {
        log(run.id(), row);
        run = run.sent(row.step());
        file = run;
      }
    }
    run.write();
    if (last) {
      status(run.id(), "FINISHED", System.currentTimeMillis());
    }
  }

  private TrackerRunFile open() throws IOException, InterruptedException {
    TrackerRunFile known = TrackerRunFile.read(folder.resolve(FILE));
    if (known == null) {
      known = create();
      known.write();
    } else {
      status(known.id(), "RUNNING", null);
    }
    if (known.step() < 0) {
      parameters(known.id());
    }
    file = known;
    opened = true;
    return known;
  }

  private TrackerRunFile create() throws IOException, InterruptedException {
    long now = System.currentTimeMillis();
    JsonObject body = new JsonObject();
    body.addProperty("experiment_id", experiment());
    body.addProperty("run_name", description.name());
    body.addProperty("start_time", now);
    JsonArray tags = new JsonArray();
    tags.add(entry("mlflow.source.name", "roll"));
    description.tags().forEach((key, value) -> tags.add(entry(key, value)));
    body.add("tags", tags);
    JsonObject answer = server.post("runs/create", body);
    String id =
        answer.get("run") instanceof JsonObject run && run.get("info") instanceof JsonObject info
            ? MlflowServer.text(info, "run_id")
            : null;
    if (id != null) {
      return new TrackerRunFile(folder.resolve(FILE), id, now, -1);
    }
    throw server.refused("runs/create returned no run: " + answer);
  }

  private String experiment() throws IOException, InterruptedException {
    String name = description.experiment();
    JsonObject found =
        server.get(
            "experiments/get-by-name?experiment_name="
                + URLEncoder.encode(name, StandardCharsets.UTF_8));
    String id = null;
    if (found == null) {
      JsonObject body = new JsonObject();
      body.addProperty("name", name);
      id = MlflowServer.text(server.post("experiments/create", body), "experiment_id");
    } else if (found.get("experiment") instanceof JsonObject experiment) {
      id = MlflowServer.text(experiment, "experiment_id");
    }
    if (id == null) {
      throw server.refused("experiments/get-by-name returned no experiment: " + found);
    }
    return id;
  }

  /** Sends the settings, which cannot be changed later. */
  private void parameters(String id) throws IOException, InterruptedException {
    List<Map.Entry<String, String>> all =
        new ArrayList<>(MlflowNames.flat(RunConfigFile.read(folder)).entrySet());
    for (int from = 0; from < all.size(); from += MAX_PARAMETERS) {
      JsonArray some = new JsonArray();
      all.subList(from, Math.min(from + MAX_PARAMETERS, all.size()))
          .forEach(setting -> some.add(entry(setting.getKey(), setting.getValue())));
      JsonObject body = new JsonObject();
      body.addProperty("run_id", id);
      body.add("params", some);
      try {
        var unused = server.post("runs/log-batch", body);
      } catch (UserException e) {
        return; // the run has other settings, which stay; other problems show up with the metrics
      }
    }
  }

  private static JsonObject entry(String key, String value) {
    JsonObject entry = new JsonObject();
    entry.addProperty("key", key);
    entry.addProperty("value", value);
    return entry;
  }

  private void log(String id, Row row) throws IOException, InterruptedException {
    JsonArray metrics = new JsonArray();
    row.metrics()
        .forEach(
            (name, value) -> {
              JsonObject metric = new JsonObject();
              metric.addProperty("key", MlflowNames.of(name));
              metric.add("value", number(value));
              metric.addProperty("timestamp", row.millis());
              metric.addProperty("step", row.step());
              metrics.add(metric);
            });
    for (int from = 0; from < metrics.size(); from += MAX_METRICS) {
      JsonArray some = new JsonArray();
      metrics
          .asList()
          .subList(from, Math.min(from + MAX_METRICS, metrics.size()))
          .forEach(some::add);
      JsonObject body = new JsonObject();
      body.addProperty("run_id", id);
      body.add("metrics", some);
      var unused = server.post("runs/log-batch", body);
    }
  }

  /** Returns a number that JSON does not have as text, as protocol buffers do. */
  private static JsonElement number(double value) {
    return Double.isFinite(value)
        ? new JsonPrimitive(value)
        : new JsonPrimitive(String.valueOf(value));
  }

  private void status(String id, String status, @Nullable Long end)
      throws IOException, InterruptedException {
    JsonObject body = new JsonObject();
    body.addProperty("run_id", id);
    body.addProperty("status", status);
    if (end != null) {
      body.addProperty("end_time", end);
    }
    var unused = server.post("runs/update", body);
  }
}

package roll.tracking.wandb;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import roll.remote.MetricsUploadQueue;
import roll.remote.MetricsUploadQueue.Row;
import roll.remote.TrackerRunFile;

/**
 * A run at the server, created or found by the id in its folder when there are metrics to send. Its
 * history only grows: of repeated steps the server keeps the first values.
 */
final class WandbRun implements MetricsUploadQueue.Receiver {
  /** The file in the run's folder with the id. */
  static final String FILE = "wandb-run.json";

  private static final Gson GSON =
      new GsonBuilder().disableHtmlEscaping().serializeNulls().create();

  private final WandbServer server;
  private final WandbDescription description;
  private final Path folder;
  private final long begun = System.currentTimeMillis();
  private final Map<String, Double> summary = new LinkedHashMap<>();
  private @Nullable Opened opened;

  /**
   * The run at the wandb server after it was opened.
   *
   * @param stream path of its files
   * @param lines number of lines of its history
   */
  private record Opened(String stream, int lines, TrackerRunFile file) {
    Opened sent(int more, TrackerRunFile now) {
      return new Opened(stream, lines + more, now);
    }
  }

  WandbRun(WandbServer server, WandbDescription description, Path folder) {
    this.server = server;
    this.description = description;
    this.folder = folder;
  }

  @Override
  public void take(List<Row> rows, boolean last) throws IOException, InterruptedException {
    Opened run = opened == null ? open() : opened;
    opened = run;
    int known = run.file().step();
    List<Row> fresh = rows.stream().filter(row -> row.step() > known).toList();
    if (!fresh.isEmpty()) {
      var unused = server.post(run.stream(), files(run, fresh));
      TrackerRunFile now = run.file().sent(fresh.getLast().step());
      opened = run.sent(fresh.size(), now);
      now.write();
    }
    if (last) {
      JsonObject end = new JsonObject();
      end.addProperty("complete", true);
      end.addProperty("exitcode", 0);
      end.addProperty("dropped", 0);
      end.add("uploaded", new JsonArray());
      var unused = server.post(run.stream(), end);
    }
  }

  private Opened open() throws IOException, InterruptedException {
    TrackerRunFile known = TrackerRunFile.read(folder.resolve(FILE));
    TrackerRunFile file =
        known == null ? new TrackerRunFile(folder.resolve(FILE), id(), begun, -1) : known;
    if (known == null) {
      file.write(); // before the request, so that a crash creates no second run
    }
    JsonObject answer = server.post("graphql", UpsertRequest.body(file.id(), description, folder));
    UpsertRequest.Bucket bucket = UpsertRequest.read(answer);
    if (bucket == null) {
      throw server.refused(" did not take the run: " + answer);
    }
    String stream =
        "files/%s/%s/%s/file_stream"
            .formatted(path(bucket.entity()), path(bucket.project()), path(file.id()));
    return new Opened(stream, bucket.lines(), file);
  }

  /** Returns eight characters, like the ids of wandb's client. */
  private static String id() {
    return UUID.randomUUID().toString().substring(0, 8);
  }

  private static String path(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private JsonObject files(Opened run, List<Row> rows) {
    JsonArray lines = new JsonArray();
    String newest = "";
    for (Row row : rows) {
      lines.add(line(run, row, row.metrics()));
      summary.putAll(row.metrics());
      newest = line(run, row, summary);
    }
    JsonArray one = new JsonArray();
    one.add(newest);
    JsonObject files = new JsonObject();
    files.add("wandb-history.jsonl", file(run.lines(), lines));
    files.add("wandb-summary.json", file(0, one));
    JsonObject body = new JsonObject();
    body.add("files", files);
    body.addProperty("dropped", 0);
    return body;
  }

  private static JsonObject file(int offset, JsonArray content) {
    JsonObject file = new JsonObject();
    file.addProperty("offset", offset);
    file.add("content", content);
    return file;
  }

  private static String line(Opened run, Row row, Map<String, Double> metrics) {
    JsonObject line = new JsonObject();
    metrics.forEach((name, value) -> line.add(name, number(value)));
    line.addProperty("_step", row.step());
    line.addProperty("_timestamp", row.millis() / 1e3);
    line.addProperty("_runtime", (row.millis() - run.file().started()) / 1e3);
    return GSON.toJson(line);
  }

  /** Returns a number that JSON does not have as text, as wandb's client does. */
  private static JsonElement number(double value) {
    return GSON.toJsonTree(Double.isFinite(value) ? value : String.valueOf(value));
  }
}

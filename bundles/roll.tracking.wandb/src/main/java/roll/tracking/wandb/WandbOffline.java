package roll.tracking.wandb;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.api.tracking.Tracking;
import roll.remote.TrackerRunFile;

/**
 * A run in files for {@code wandb sync}: {@code wandb/offline-run-<time>-<id>} in the run's folder.
 * A resumed run continues its file; as at the server, of repeated steps the first values stay.
 */
final class WandbOffline implements Tracking {
  /** The file in the run's folder with the id. */
  static final String FILE = "wandb-offline.json";

  private static final Gson GSON =
      new GsonBuilder().disableHtmlEscaping().serializeNulls().create();

  // field numbers of W&B's messages: records, then their contents
  private static final int HISTORY = 2;
  private static final int SUMMARY = 3;
  private static final int RUN = 17;
  private static final int EXIT = 18;
  private static final int VALUE_JSON = 16;

  /** The first bytes of an exit record: its tag, a message in field 18. */
  private static final byte[] EXIT_TAG = {(byte) 0x92, 1};

  private final WandbDescription description;
  private final Path folder;
  private final Consumer<String> notices;
  private final Map<String, Double> summary = new LinkedHashMap<>();
  private @Nullable TrackerRunFile run;
  private @Nullable RecordLog log;
  private boolean opened;

  /**
   * Continues the run in {@code folder}, or creates one, with the first metrics, when the run has
   * written its configuration.
   *
   * @param notices called if the files cannot be written; the run continues
   */
  WandbOffline(WandbDescription description, Path folder, Consumer<String> notices) {
    this.folder = folder;
    this.description = description;
    this.notices = notices;
  }

  private void open() {
    if (!opened) {
      opened = true;
      attempt(this::begin);
    }
  }

  /** A file write that may fail. */
  private interface Writing {
    void perform() throws IOException;
  }

  private void attempt(Writing writing) {
    try {
      writing.perform();
    } catch (IOException e) {
      end();
      notices.accept("writing for wandb sync ended: " + e);
    }
  }

  private void end() {
    RecordLog open = log;
    log = null;
    run = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        notices.accept(String.valueOf(e));
      }
    }
  }

  private void begin() throws IOException {
    TrackerRunFile known = TrackerRunFile.read(folder.resolve(FILE));
    long now = System.currentTimeMillis();
    TrackerRunFile file =
        known == null
            ? new TrackerRunFile(
                folder.resolve(FILE), UUID.randomUUID().toString().substring(0, 8), now, -1)
            : known;
    String time =
        DateTimeFormatter.ofPattern("yyyyMMdd_HHmmss")
            .withZone(ZoneId.systemDefault())
            .format(Instant.ofEpochMilli(file.started()));
    Path place = folder.resolve("wandb").resolve("offline-run-%s-%s".formatted(time, file.id()));
    Files.createDirectories(place.resolve("files"));
    Path path = place.resolve("run-%s.wandb".formatted(file.id()));
    boolean fresh = Files.notExists(path);
    RecordLog records = new RecordLog(path);
    log = records;
    run = file;
    if (fresh) {
      records.append(new ProtoBytes().message(RUN, run(file)).toBytes());
      file.write();
    } else {
      records.dropLast(EXIT_TAG);
    }
  }

  private ProtoBytes run(TrackerRunFile file) {
    ProtoBytes config = new ProtoBytes();
    RunConfigFile.read(folder)
        .forEach(
            (key, value) ->
                config.message(
                    1, new ProtoBytes().text(1, key).text(VALUE_JSON, GSON.toJson(value))));
    ProtoBytes run =
        new ProtoBytes()
            .text(1, file.id())
            .text(2, Objects.requireNonNullElse(description.entity(), ""))
            .text(3, description.project())
            .message(4, config)
            .text(6, Objects.requireNonNullElse(description.group(), ""))
            .text(8, description.name());
    description.tags().forEach(tag -> run.text(10, tag));
    return run.message(
        17,
        new ProtoBytes()
            .number(1, file.started() / 1000)
            .number(2, file.started() % 1000 * 1_000_000));
  }

  @Override
  public void log(int step, Map<String, Double> metrics) {
    open();
    RecordLog open = log;
    TrackerRunFile file = run;
    if (open == null || file == null || step <= file.step()) {
      return;
    }
    summary.putAll(metrics);
    attempt(
        () -> {
          ProtoBytes history = items(new ProtoBytes(), file, step, metrics);
          history.message(2, new ProtoBytes().number(1, step));
          open.append(new ProtoBytes().message(HISTORY, history).toBytes());
          TrackerRunFile sent = file.sent(step);
          run = sent;
          sent.write();
        });
  }

  private static ProtoBytes items(
      ProtoBytes into, TrackerRunFile file, int step, Map<String, Double> metrics) {
    long now = System.currentTimeMillis();
    metrics.forEach((name, value) -> item(into, name, number(value)));
    item(into, "_step", String.valueOf(step));
    item(into, "_timestamp", String.valueOf(now / 1e3));
    item(into, "_runtime", String.valueOf((now - file.started()) / 1e3));
    return into;
  }

  private static void item(ProtoBytes into, String name, String json) {
    into.message(1, new ProtoBytes().text(1, name).text(VALUE_JSON, json));
  }

  /** Returns a number that JSON does not have as text, as wandb's client does. */
  private static String number(double value) {
    return GSON.toJson(Double.isFinite(value) ? (Object) value : String.valueOf(value));
  }

  @Override
  public void flush() {
    RecordLog open = log;
    if (open != null) {
      attempt(open::flush);
    }
  }

  @Override
  public void close() {
    open();
    RecordLog open = log;
    TrackerRunFile file = run;
    if (open == null || file == null) {
      return;
    }
    attempt(
        () -> {
          ProtoBytes newest = items(new ProtoBytes(), file, file.step(), summary);
          if (!summary.isEmpty()) {
            open.append(new ProtoBytes().message(SUMMARY, newest).toBytes());
          }
          long seconds = (System.currentTimeMillis() - file.started()) / 1000;
          ProtoBytes exit = new ProtoBytes().number(2, seconds);
          open.append(new ProtoBytes().message(EXIT, exit).toBytes());
          open.flush();
        });
    end();
  }
}

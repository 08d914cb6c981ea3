package roll.ui.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.runtime.pipeline.RunStatus;
import roll.runtime.pipeline.TrainingRun;
import roll.ui.file.Stamp;
import roll.ui.metric.MetricFiles;

/** What is known of one folder; a file is read again only when it has changed. */
final class FolderFacts {
  /** A folder that was not written for so long is looked at less often. */
  private static final long QUIET_MILLIS = 60_000;

  private static final String KILLED = "killed";

  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Path folder;
  private final RunHistory history;
  private @Nullable Stamp configStamp;
  private ShownConfig config = ShownConfig.NONE;
  private @Nullable Stamp textStamp;
  private SecretYaml.Shown text = new SecretYaml.Shown("", Map.of());
  private @Nullable Stamp metricsStamp;
  private Headline headline = Headline.NONE;
  private @Nullable Stamp logStamp;
  private LogEnds log = LogEnds.NONE;
  private @Nullable RunSummary last;
  private long looked;

  /** Of {@code folder}, nothing read. */
  FolderFacts(Path folder) {
    this.folder = folder;
    history = new RunHistory(folder);
  }

  private void refreshConfig() throws IOException {
    Path file = folder.resolve(ShownConfig.NAME);
    Stamp now = Stamp.of(file);
    if (!Objects.equals(now, configStamp)) {
      config = now == null ? ShownConfig.NONE : ShownConfig.read(file);
      configStamp = now;
    }
  }

  /** Its configuration without secrets; empty where there is none. */
  synchronized SecretYaml.Shown config() throws IOException {
    Path file = folder.resolve(ShownConfig.NAME);
    Stamp now = Stamp.of(file);
    if (!Objects.equals(now, textStamp)) {
      text = ShownConfig.text(file);
      textStamp = now;
    }
    return text;
  }

  /** What its log tells. */
  RunHistory history() {
    return history;
  }

  private void refreshMetrics() throws IOException {
    Path metrics = folder.resolve(MetricFiles.NAME);
    Stamp now = Stamp.of(metrics);
    if (!Objects.equals(now, metricsStamp)) {
      Headline before = now != null && now.continues(metricsStamp) ? headline : Headline.NONE;
      headline = now == null ? Headline.NONE : before.next(metrics, now.size(), config.validates());
      metricsStamp = now;
    }
  }

  /** A run of this process tells itself when it began and how it ended. */
  private void refreshLog() throws IOException {
    Stamp now = Stamp.of(folder.resolve(LogFiles.NAME));
    if (!Objects.equals(now, logStamp)) {
      log = LogEnds.read(folder);
      logStamp = now;
    }
  }

  /** The run as the list has it. */
  synchronized RunSummary summary(RunEntry entry) throws IOException {
    TrainingRun run = entry.run();
    RunSummary before = last;
    if (run == null && before != null && rests(before)) {
      return before;
    }
    refreshConfig();
    refreshMetrics();
    looked = System.nanoTime();
    if (run != null) {
      last = null;
      return ofRun(entry, run, run.status());
    }
    RunSummary now = ofFolder(entry);
    last = now;
    return now;
  }

  private boolean rests(RunSummary before) {
    return before.ended() != null
        && System.currentTimeMillis() - before.updated() > QUIET_MILLIS
        && System.nanoTime() - looked < REST_NANOS;
  }

  private RunSummary ofRun(RunEntry entry, TrainingRun run, RunStatus status) {
    Map<String, Double> values = new LinkedHashMap<>(headline.values());
    status
        .metrics()
        .forEach(
            (metric, value) -> {
              if (Headline.has(metric)) {
                values.put(metric, value);
              }
            });
    return new RunSummary(
        entry.id(),
        run.name(),
        folder.toString(),
        status.state().active(),
        run.number(),
        status.state().name().toLowerCase(Locale.ROOT),
        status.step(),
        status.maxSteps(),
        status.phase(),
        status.waiting(),
        status.served().isEmpty() ? List.of() : List.of(status.served().split(", ", -1)),
        status.started().toEpochMilli(),
        status.ended() == null ? null : status.ended().toEpochMilli(),
        Math.max(updated(), status.started().toEpochMilli()),
        values);
  }

  private RunSummary ofFolder(RunEntry entry) throws IOException {
    refreshLog();
    String owner = FolderOwner.line(folder);
    Long ended = log.ended() == null ? Long.valueOf(updated()) : log.ended();
    Integer maxSteps = config.maxSteps();
    int step = headline.step() + 1; // the last validation is of the step after the last
    return new RunSummary(
        entry.id(),
        config.name() == null ? String.valueOf(folder.getFileName()) : config.name(),
        folder.toString(),
        false,
        null,
        state(owner != null),
        maxSteps == null ? step : Math.min(step, maxSteps),
        maxSteps,
        "",
        owner == null ? waiting() : owner,
        List.of(),
        log.started(),
        owner == null ? ended : null,
        updated(),
        headline.values());
  }

  private String state(boolean held) {
    Integer maxSteps = config.maxSteps();
    if (held) {
      return "running";
    } else if (logStamp == null) {
      return "ended"; // nobody tells how
    } else if (log.ended() == null) {
      return KILLED;
    } else if (log.failure() != null) {
      return "failed";
    }
    boolean early = log.steps() >= 0 && maxSteps != null && log.steps() < maxSteps;
    return early ? "stopped" : "finished";
  }

  private @Nullable String waiting() {
    return state(false).equals(KILLED)
        ? "its process was ended before it could say so"
        : log.failure();
  }

  private long updated() {
    return Stream.of(configStamp, metricsStamp, logStamp)
        .filter(Objects::nonNull)
        .mapToLong(Stamp::modified)
        .max()
        .orElse(0);
  }
}

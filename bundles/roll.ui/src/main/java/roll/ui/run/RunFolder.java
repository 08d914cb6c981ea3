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
import roll.ui.file.FileCache;
import roll.ui.file.FileStamp;
import roll.ui.metric.MetricFiles;

/** The contents of the folder of a run; a file is read again only when it has changed. */
final class RunFolder {
  /** A folder that was not written for this long is checked less often. */
  private static final long QUIET_MILLIS = 60_000;

  private static final long RECHECK_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final String KILLED = "killed";
  private static final String INTERRUPTED = "interrupted";

  private final Path folder;
  private final Path configFile;
  private final RunHistory history;
  private final FileCache<RedactedYaml> config =
      new FileCache<>(
          1, (file, stamp) -> stamp == null ? RedactedYaml.NONE : ConfigSummary.whole(file));
  private final FileCache<ConfigSummary> summaries =
      new FileCache<>(
          1, (file, stamp) -> stamp == null ? ConfigSummary.NONE : ConfigSummary.read(file));
  private final FileCache<RunLog.Ends> logs;
  private final FileCache<Map<String, String>> keys =
      new FileCache<>(1, (file, stamp) -> stamp == null ? Map.of() : ConfigSummary.keys(file));
  private final FileCache<RunNotes> notes =
      new FileCache<>(1, (file, stamp) -> stamp == null ? RunNotes.NONE : RunNotes.read(file));
  private final MetricTotals totals;
  private @Nullable FileStamp metricsStamp;
  private HeadlineMetrics headline = HeadlineMetrics.NONE;
  private @Nullable RunSummary last;
  private long checked;

  /** The run in {@code folder}; nothing is read yet. */
  RunFolder(Path folder) {
    this.folder = folder;
    configFile = folder.resolve(ConfigSummary.NAME);
    history = new RunHistory(folder);
    totals = new MetricTotals(folder.resolve(MetricFiles.NAME));
    logs = new FileCache<>(1, (_, _) -> RunLog.ends(folder));
  }

  /** Returns the configuration without secrets; empty where there is none. */
  RedactedYaml config() throws IOException {
    return config.get(configFile);
  }

  /** Returns the values of the configuration by key, as a list of runs needs them. */
  Map<String, String> keys() throws IOException {
    return keys.get(configFile);
  }

  /** Returns the notes of a user on the run. */
  RunNotes notes() throws IOException {
    return notes.get(folder.resolve(RunNotes.NAME));
  }

  /** Returns the totals of the metrics, of which some may not be read yet. */
  MetricTotals totals() {
    return totals;
  }

  /** Returns the history of the run from its log. */
  RunHistory history() {
    return history;
  }

  private void refreshMetrics(boolean validates) throws IOException {
    Path metrics = folder.resolve(MetricFiles.NAME);
    FileStamp now = FileStamp.of(metrics);
    if (!Objects.equals(now, metricsStamp)) {
      HeadlineMetrics before =
          now != null && now.continues(metricsStamp) ? headline : HeadlineMetrics.NONE;
      headline = now == null ? HeadlineMetrics.NONE : before.next(metrics, now.size(), validates);
      metricsStamp = now;
    }
  }

  /** Returns the run as the list of runs has it. */
  synchronized RunSummary summary(RunEntry entry) throws IOException {
    TrainingRun run = entry.run();
    RunSummary before = last;
    if (run == null && before != null && isQuiet(before)) {
      return before;
    }
    ConfigSummary summary = summaries.get(configFile);
    refreshMetrics(summary.validates());
    checked = System.nanoTime();
    last = run == null ? ofFolder(entry, summary) : null;
    return last == null ? ofRun(entry, Objects.requireNonNull(run)) : last;
  }

  private boolean isQuiet(RunSummary before) {
    return before.ended() != null
        && System.currentTimeMillis() - before.updated() > QUIET_MILLIS
        && System.nanoTime() - checked < RECHECK_NANOS;
  }

  private RunSummary ofRun(RunEntry entry, TrainingRun run) {
    RunStatus status = run.status();
    Map<String, Double> values = new LinkedHashMap<>(headline.values());
    status
        .metrics()
        .forEach(
            (metric, value) -> {
              if (HeadlineMetrics.has(metric)) {
                values.put(metric, value);
              }
            });
    return new RunSummary(
        entry.id(),
        run.name(),
        folder.toString(),
        status.state().active(),
        run.number(),
        status.state() == RunStatus.State.STOPPED
            ? INTERRUPTED
            : status.state().name().toLowerCase(Locale.ROOT),
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

  private RunSummary ofFolder(RunEntry entry, ConfigSummary config) throws IOException {
    Path logFile = folder.resolve(RunLog.NAME);
    RunLog.Ends log = logs.get(logFile);
    String owner = FolderOwner.line(folder);
    String ended = FileStamp.of(logFile) == null ? "ended" : state(log, config.maxSteps());
    Long end = log.ended() == null ? Long.valueOf(updated()) : log.ended();
    int step = headline.step() + 1; // the last validation has the step after the last
    return new RunSummary(
        entry.id(),
        config.name() == null ? String.valueOf(folder.getFileName()) : config.name(),
        folder.toString(),
        false,
        null,
        owner == null ? ended : "running",
        config.maxSteps() == null ? step : Math.min(step, config.maxSteps()),
        config.maxSteps(),
        "",
        owner != null ? owner : ended.equals(KILLED) ? "its process was killed" : log.failure(),
        List.of(),
        log.started(),
        owner == null ? end : null,
        updated(),
        headline.values());
  }

  private static String state(RunLog.Ends log, @Nullable Integer maxSteps) {
    if (log.ended() == null) {
      return KILLED;
    } else if (log.failure() != null) {
      return "failed";
    }
    boolean early = log.steps() >= 0 && maxSteps != null && log.steps() < maxSteps;
    return early ? INTERRUPTED : "finished";
  }

  private long updated() {
    return Stream.of(ConfigSummary.NAME, MetricFiles.NAME, RunLog.NAME)
        .map(name -> FileStamp.of(folder.resolve(name)))
        .filter(Objects::nonNull)
        .mapToLong(FileStamp::modified)
        .max()
        .orElse(0);
  }
}

package roll.shell.run;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.runtime.listing.ListedRun;
import roll.runtime.pipeline.RunStatus;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.TrainingRun;
import roll.shell.terminal.Table;

/** Training runs as text. */
final class RunReport {
  private static final String MISSING = "–";
  private static final String IDLE = "idle/";
  private static final String TOTAL = "/total";

  /** Causes with smaller shares are not named. */
  private static final double SMALL = 0.005;

  private RunReport() {}

  /** Returns a table with a row per run. */
  static String list(List<TrainingRun> runs) {
    Table table = new Table().row("run", "name", "state", "step", "phase", "score", "time");
    for (TrainingRun run : runs) {
      RunStatus status = run.status();
      table.row(
          String.valueOf(run.number()),
          run.name(),
          word(status.state()),
          status.step() + "/" + status.maxSteps(),
          status.phase().isEmpty() ? MISSING : status.phase(),
          score(status),
          elapsed(status));
    }
    return table.toString();
  }

  /** Returns a table with a row per run, and with {@code columns}. */
  static String listed(List<ListedRun> runs, List<String> columns) {
    List<String> head = new ArrayList<>(List.of("name", "state", "step", "score"));
    head.addAll(columns);
    head.addAll(List.of("tags", "folder"));
    Table table = new Table().row(head.toArray(String[]::new));
    for (ListedRun run : runs) {
      List<String> row = new ArrayList<>();
      row.add(run.name());
      row.add(run.state());
      row.add(run.maxSteps() == null ? "" + run.step() : run.step() + "/" + run.maxSteps());
      row.add(score(run.headline()));
      columns.forEach(column -> row.add(text(run.columns().get(column))));
      row.add(run.tags().isEmpty() ? MISSING : String.join(" ", run.tags()));
      row.add(shown(Path.of(run.folder())));
      table.row(row.toArray(String[]::new));
    }
    return table.toString();
  }

  private static String text(@Nullable Object value) {
    return switch (value) {
      case null -> MISSING;
      case Double number -> String.format(Locale.ROOT, "%.4g", number);
      default -> value.toString();
    };
  }

  /** Returns {@code folder} relative to the working directory where it is below that. */
  private static String shown(Path folder) {
    Path here = Path.of("").toAbsolutePath();
    return (folder.startsWith(here) ? here.relativize(folder) : folder).toString();
  }

  /** Returns the description of one training run. */
  static String of(TrainingRun run) {
    RunStatus status = run.status();
    Table table = new Table();
    table.row("run", run.number() + " " + run.name());
    table.row("state", word(status.state()));
    if (status.waiting() != null) {
      table.row("", status.waiting());
    }
    table.row("step", status.step() + " of " + status.maxSteps());
    if (!status.phase().isEmpty()) {
      table.row("phase", status.phase());
    }
    table.row("score", score(status));
    table.row("time", elapsed(status));
    idle(status.metrics()).forEach((device, causes) -> table.row("idle", device + causes));
    table.row("folder", run.folder().toString());
    String label = "plugins used";
    for (String bundle : status.served().split(", ", -1)) {
      table.row(label, bundle);
      label = "";
    }
    return table.toString();
  }

  /** Returns the share of the last step in which each device was idle, with its causes. */
  private static Map<String, String> idle(Map<String, Double> metrics) {
    Map<String, String> devices = new TreeMap<>();
    metrics.keySet().stream()
        .filter(name -> name.startsWith(IDLE) && name.endsWith(TOTAL))
        .map(name -> name.substring(IDLE.length(), name.length() - TOTAL.length()))
        .forEach(device -> devices.put(device, idle(metrics, IDLE + device)));
    return devices;
  }

  private static String idle(Map<String, Double> metrics, String device) {
    String causes =
        metrics.entrySet().stream()
            .filter(entry -> entry.getKey().startsWith(device + "/"))
            .filter(entry -> !entry.getKey().endsWith(TOTAL) && entry.getValue() >= SMALL)
            .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
            .map(entry -> percent(entry, device.length() + 1))
            .collect(Collectors.joining(", "));
    String total =
        String.format(Locale.ROOT, " %.0f%%", 100 * metrics.getOrDefault(device + TOTAL, 0.0));
    return causes.isEmpty() ? total : total + ": " + causes;
  }

  private static String percent(Map.Entry<String, Double> share, int prefix) {
    return String.format(
        Locale.ROOT, "%s %.0f%%", share.getKey().substring(prefix), 100 * share.getValue());
  }

  private static String word(State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private static String score(RunStatus status) {
    return score(status.metrics());
  }

  /** Returns the mean score in {@code metrics}, of the rollout or else of a validation. */
  static String score(Map<?, ?> metrics) {
    return Stream.of("rollout/score/mean", "val/score/mean")
        .map(metrics::get)
        .filter(Number.class::isInstance)
        .map(score -> String.format(Locale.ROOT, "%.3f", ((Number) score).doubleValue()))
        .findFirst()
        .orElse(MISSING);
  }

  /** Returns the elapsed time, up to the end if it has ended. */
  private static String elapsed(RunStatus status) {
    Instant end = Objects.requireNonNullElseGet(status.ended(), Instant::now);
    Duration time = Duration.between(status.started(), end);
    return time.toHours() > 0
        ? String.format(Locale.ROOT, "%dh %02dm", time.toHours(), time.toMinutesPart())
        : String.format(Locale.ROOT, "%dm %02ds", time.toMinutes(), time.toSecondsPart());
  }
}

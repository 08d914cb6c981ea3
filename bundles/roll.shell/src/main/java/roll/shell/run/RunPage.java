package roll.shell.run;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import roll.runtime.pipeline.RunStatus;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.TrainingRun;
import roll.shell.terminal.Table;

/** Training runs, for people. */
final class RunPage {
  private RunPage() {}

  /** A row per run. */
  static String list(List<TrainingRun> runs) {
    Table table = new Table().row("run", "name", "state", "step", "phase", "score", "since");
    for (TrainingRun run : runs) {
      RunStatus status = run.status();
      table.row(
          String.valueOf(run.number()),
          run.name(),
          word(status.state()),
          status.step() + "/" + status.maxSteps(),
          status.phase().isEmpty() ? "–" : status.phase(),
          score(status),
          since(status));
    }
    return table.toString();
  }

  /** Everything there is to say of one. */
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
    table.row("since", since(status));
    table.row("folder", run.folder().toString());
    String label = "served by";
    for (String bundle : status.served().split(", ", -1)) {
      table.row(label, bundle);
      label = "";
    }
    return table.toString();
  }

  private static String word(State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private static String score(RunStatus status) {
    return Optional.ofNullable(status.metrics().get("rollout/score/mean"))
        .or(() -> Optional.ofNullable(status.metrics().get("val/score/mean")))
        .map(score -> String.format(Locale.ROOT, "%.3f", score))
        .orElse("–");
  }

  /** How long it has been going on, or went on. */
  private static String since(RunStatus status) {
    Instant end = Objects.requireNonNullElseGet(status.ended(), Instant::now);
    Duration time = Duration.between(status.started(), end);
    return time.toHours() > 0
        ? String.format(Locale.ROOT, "%dh %02dm", time.toHours(), time.toMinutesPart())
        : String.format(Locale.ROOT, "%dm %02ds", time.toMinutes(), time.toSecondsPart());
  }
}

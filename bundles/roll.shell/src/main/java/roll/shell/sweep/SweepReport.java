package roll.shell.sweep;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.runtime.sweep.SeedGroup;
import roll.runtime.sweep.SeedGroup.Spread;
import roll.runtime.sweep.SweepResult;
import roll.runtime.sweep.SweptRun;
import roll.shell.terminal.Table;

/** The results of a sweep as text. */
final class SweepReport {
  private static final String NONE = "–";

  private SweepReport() {}

  /** Returns the tables of combinations and runs, errors and notices. */
  static String of(SweepResult result) {
    StringBuilder text = new StringBuilder();
    if (result.metric() != null) {
      text.append(result.metric())
          .append(result.least() ? " (lower is better)" : " (higher is better)");
      text.append("\n\n");
    }
    text.append(groups(result.groups())).append("\n\n").append(runs(result.runs()));
    for (SweptRun run : result.runs()) {
      if (run.problem() != null) {
        text.append("\n").append(run.name()).append(": ").append(run.problem());
      }
    }
    result.notices().forEach(notice -> text.append("\nnotice: ").append(notice));
    if (result.picture() != null) {
      text.append("\npicture: ").append(result.picture());
    }
    return text.toString();
  }

  private static String groups(List<SeedGroup> groups) {
    Table table =
        new Table()
            .row("combination", "runs", "last", "min", "max", "best", "min", "max", "at step");
    for (SeedGroup group : groups) {
      Spread last = group.last();
      Spread best = group.best();
      table.row(
          group.name(),
          group.counted() + " of " + group.runs(),
          mean(last),
          last == null ? NONE : number(last.least()),
          last == null ? NONE : number(last.greatest()),
          mean(best),
          best == null ? NONE : number(best.least()),
          best == null ? NONE : number(best.greatest()),
          steps(group.bestSteps()));
    }
    return table.toString();
  }

  private static String runs(List<SweptRun> runs) {
    Table table = new Table().row("run", "state", "last", "best", "at step", "folder");
    for (SweptRun run : runs) {
      table.row(
          run.name(),
          run.state().name().toLowerCase(Locale.ROOT),
          number(run.last()),
          number(run.best()),
          run.bestStep() == null ? NONE : String.valueOf(run.bestStep()),
          run.folder());
    }
    return table.toString();
  }

  private static String mean(@Nullable Spread spread) {
    if (spread == null) {
      return NONE;
    }
    return spread.deviation() == null
        ? number(spread.mean())
        : number(spread.mean()) + " ± " + number(spread.deviation());
  }

  private static String steps(List<Integer> steps) {
    if (steps.isEmpty()) {
      return NONE;
    }
    return Objects.equals(steps.getFirst(), steps.getLast())
        ? String.valueOf(steps.getFirst())
        : steps.getFirst() + "–" + steps.getLast();
  }

  /** Formats with three decimals, small values with three significant digits. */
  private static String number(@Nullable Double value) {
    if (value == null) {
      return NONE;
    }
    boolean small = value != 0 && Math.abs(value) < 0.01;
    return String.format(Locale.ROOT, small ? "%.2e" : "%.3f", value);
  }
}

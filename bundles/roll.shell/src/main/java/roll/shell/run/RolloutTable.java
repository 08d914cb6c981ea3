package roll.shell.run;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import roll.runtime.pipeline.RolloutRun.Outcome;
import roll.runtime.pipeline.RolloutRun.Tag;
import roll.shell.terminal.Table;

/** The results of a rollout as text. */
final class RolloutTable {
  private static final String UNKNOWN = "–";

  private RolloutTable() {}

  /** Returns a row per tag, failed tool calls, and the speed; ends with a line end. */
  static String of(Outcome outcome) {
    Table table =
        new Table().row("tag", "episodes", "success", "score", "turns", "tokens", "failed");
    StringBuilder calls = new StringBuilder();
    long episodes = 0;
    long turns = 0;
    for (Tag tag : outcome.tags()) {
      table.row(
          tag.tag(),
          String.format(Locale.ROOT, "%,d", tag.episodes()),
          share(tag.success()),
          String.format(Locale.ROOT, "%.3f", tag.score()),
          String.format(Locale.ROOT, "%.1f", (double) tag.turns() / tag.episodes()),
          String.format(Locale.ROOT, "%.1f", tag.length()),
          count(tag.failed()));
      if (tag.failedCalls() > 0) {
        calls
            .append(
                String.format(
                    Locale.ROOT,
                    "%s: a tool call failed in %,d of %,d episodes",
                    tag.tag(),
                    tag.failedCalls(),
                    tag.episodes()))
            .append(System.lineSeparator());
      }
      episodes += tag.episodes();
      turns += tag.turns();
    }
    return table
        + System.lineSeparator()
        + calls
        + String.format(
            Locale.ROOT,
            "%,d episodes, %,d steps in %.2f s: %,.0f steps/s",
            episodes,
            turns,
            outcome.seconds(),
            turns / outcome.seconds())
        + System.lineSeparator();
  }

  private static String share(OptionalDouble success) {
    return success.isEmpty()
        ? UNKNOWN
        : String.format(Locale.ROOT, "%.1f %%", 100 * success.getAsDouble());
  }

  private static String count(OptionalInt failed) {
    return failed.isEmpty() ? UNKNOWN : String.format(Locale.ROOT, "%,d", failed.getAsInt());
  }
}

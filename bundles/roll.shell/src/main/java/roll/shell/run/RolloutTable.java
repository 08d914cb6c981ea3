package roll.shell.run;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import roll.runtime.pipeline.RolloutRun.Outcome;
import roll.runtime.pipeline.RolloutRun.Tag;
import roll.shell.terminal.Table;

/** What a rollout came to, for people. */
final class RolloutTable {
  private static final String UNKNOWN = "–";

  private RolloutTable() {}

  /** A row per tag, then how fast it went; each line ends with a line end. */
  static String of(Outcome outcome) {
    Table table =
        new Table().row("tag", "episodes", "success", "score", "turns", "tokens", "failed");
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
      episodes += tag.episodes();
      turns += tag.turns();
    }
    return table
        + System.lineSeparator()
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

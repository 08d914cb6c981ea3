package roll.shell.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import roll.runtime.pipeline.ClusterShape;
import roll.runtime.pipeline.TrafficPlan;
import roll.runtime.pipeline.TrafficPlan.Row;
import roll.shell.terminal.Table;

/**
 * What a step sends and takes, as a table: for each number of accelerators the phases of a step.
 *
 * @param plan what is shown
 * @param shape of which machines
 */
record TrafficPage(TrafficPlan plan, ClusterShape shape) {
  /** What a person reads. */
  String text() {
    Table table =
        new Table()
            .row("gpus", "nodes", "phase", "between nodes", "in a node", "seconds", "bound by");
    List<String> lines = new ArrayList<>();
    for (int gpus : plan.gpus()) {
      String refusal = plan.refusals().get(gpus);
      if (refusal != null) {
        lines.add(gpus + ": " + refusal);
        continue;
      }
      String nodes = String.valueOf(shape.nodes(gpus));
      for (Row row : plan.rows()) {
        if (row.gpus() == gpus) {
          table.row(
              String.valueOf(gpus),
              nodes,
              row.phase(),
              bytes(row.wire()),
              bytes(row.link()),
              seconds(row.seconds()),
              row.seconds() > 0 ? row.bound() : "-");
        }
      }
      Row longest = plan.longest(gpus);
      table.row(
          String.valueOf(gpus),
          nodes,
          "a step",
          bytes(plan.rows().stream().filter(r -> r.gpus() == gpus).mapToDouble(Row::wire).sum()),
          bytes(plan.rows().stream().filter(r -> r.gpus() == gpus).mapToDouble(Row::link).sum()),
          seconds(plan.step(gpus)),
          longest == null ? "-" : longest.phase());
    }
    lines.add(
        "Every sequence as long as it may be; bytes of the machine, and the accelerator, that sends"
            + " most.");
    return table + "\n" + String.join("\n", lines);
  }

  /** In units of a thousand, as wires are sold. */
  private static String bytes(double bytes) {
    if (bytes == 0) {
      return "-";
    }
    return bytes < 1e9
        ? String.format(Locale.ROOT, "%.1f MB", bytes / 1e6)
        : String.format(Locale.ROOT, "%,.1f GB", bytes / 1e9);
  }

  private static String seconds(double seconds) {
    return seconds == 0
        ? "-"
        : String.format(Locale.ROOT, seconds < 10 ? "%.2f" : "%,.0f", seconds);
  }
}

package roll.shell.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import roll.runtime.pipeline.ClusterShape;
import roll.runtime.pipeline.TrafficPlan;
import roll.runtime.pipeline.TrafficPlan.Row;
import roll.shell.terminal.Table;

/**
 * Traffic and time of a step as a table: the phases for each number of GPUs.
 *
 * @param plan to print
 * @param shape of the cluster
 */
record TrafficReport(TrafficPlan plan, ClusterShape shape) {
  /** Returns the text of the traffic report. */
  String text() {
    Table table =
        new Table()
            .row("gpus", "nodes", "phase", "between nodes", "within a node", "seconds", "bound by");
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
          "step",
          bytes(plan.rows().stream().filter(r -> r.gpus() == gpus).mapToDouble(Row::wire).sum()),
          bytes(plan.rows().stream().filter(r -> r.gpus() == gpus).mapToDouble(Row::link).sum()),
          seconds(plan.step(gpus)),
          longest == null ? "-" : longest.phase());
    }
    lines.add("Worst case: maximum sequence length; traffic of the busiest machine and GPU.");
    return table + "\n" + String.join("\n", lines);
  }

  /** Formats bytes in decimal units, as network bandwidth is given. */
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

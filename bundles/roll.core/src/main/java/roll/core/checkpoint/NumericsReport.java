package roll.core.checkpoint;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import roll.api.strategy.NumericsInfo;
import roll.api.strategy.NumericsInfo.Change;
import roll.core.Roles;
import roll.core.output.RunLog;
import roll.core.role.WorkerGroup;
import roll.text.OneLine;

/**
 * Reports the hardware and software that determine rounding, so that a user can tell whether a run
 * is reproducible.
 *
 * @param roles information by trained role
 */
record NumericsReport(Map<String, NumericsInfo> roles) {
  /** Collects the information of {@code workers} with a checkpoint whose strategies provide it. */
  static NumericsReport of(WorkerGroup workers) {
    Map<String, NumericsInfo> known = new LinkedHashMap<>();
    for (String role : Roles.CHECKPOINTED) {
      if (workers.has(role) && !workers.arithmetic(role).here().isEmpty()) {
        known.put(role, workers.arithmetic(role));
      }
    }
    return new NumericsReport(known);
  }

  /** Writes a line of each role into {@code log}. */
  void record(RunLog log) {
    roles.forEach(
        (role, arithmetic) -> log.line(role + " computes with " + OneLine.of(arithmetic.here())));
  }

  /** A line for the user of each role that was otherwise when {@code checkpoint} was written. */
  List<String> changes(Path checkpoint) {
    List<String> lines = new ArrayList<>();
    roles.forEach(
        (role, arithmetic) -> {
          if (!arithmetic.changes().isEmpty()) {
            lines.add(
                ("%s: %s was computed with %s; here with %s: the run continues, its last bits"
                        + " will differ")
                    .formatted(
                        role,
                        checkpoint.getFileName(),
                        joined(arithmetic, Change::before),
                        joined(arithmetic, Change::here)));
          }
        });
    return lines;
  }

  private static String joined(NumericsInfo arithmetic, Function<Change, String> side) {
    return arithmetic.changes().stream()
        .map(side)
        .map(OneLine::of)
        .collect(Collectors.joining(", "));
  }
}

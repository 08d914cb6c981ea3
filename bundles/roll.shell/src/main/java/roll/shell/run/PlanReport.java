package roll.shell.run;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionMemory;
import roll.runtime.pipeline.MemoryPlan;
import roll.runtime.pipeline.MemoryPlan.Share;
import roll.shell.terminal.Table;
import roll.text.ByteSize;

/**
 * A memory plan as a table: for each phase and device the memory of each role by kind, and the sum.
 * Devices with equal contents share a row.
 *
 * @param plan to print
 */
record PlanReport(MemoryPlan plan) {
  /** Returns the text of the plan report. */
  String text() {
    List<MemoryKind> kinds = kinds();
    Table table = new Table();
    table.row(row("phase", "devices", "role", kinds, kind -> name(kind), "total", "capacity"));
    for (String phase : plan.phases()) {
      alike(phase).forEach((rows, devices) -> add(table, phase, devices, rows, kinds));
    }
    List<String> lines = new ArrayList<>(List.of(table.toString()));
    if (kinds.contains(MemoryKind.OFFLOADED)) {
      lines.add("Totals exclude offloaded state.");
    }
    if (!plan.unknown().isEmpty()) {
      lines.add(
          "Not included, since their strategies give no estimate: "
              + String.join(", ", plan.unknown()));
    }
    if (plan.refusal() == null && plan.unknown().isEmpty()) {
      lines.add("It fits.");
    }
    return String.join("\n", lines);
  }

  /** Returns the kinds of memory that occur in the plan. */
  private List<MemoryKind> kinds() {
    return List.of(MemoryKind.values()).stream()
        .filter(
            kind ->
                plan.shares().stream().anyMatch(share -> share.memory().bytes().containsKey(kind)))
        .toList();
  }

  /** Returns the devices grouped by equal memory of their roles in {@code phase}. */
  private Map<Map<String, Map<MemoryKind, Long>>, List<Integer>> alike(String phase) {
    Map<Integer, Map<String, Map<MemoryKind, Long>>> byDevice = new TreeMap<>();
    for (Share share : plan.shares()) {
      if (share.phase().equals(phase)) {
        byDevice
            .computeIfAbsent(share.memory().device(), device -> new LinkedHashMap<>())
            .put(share.role(), share.memory().bytes());
      }
    }
    Map<Map<String, Map<MemoryKind, Long>>, List<Integer>> alike = new LinkedHashMap<>();
    byDevice.forEach(
        (device, rows) -> alike.computeIfAbsent(rows, key -> new ArrayList<>()).add(device));
    return alike;
  }

  private void add(
      Table table,
      String phase,
      List<Integer> devices,
      Map<String, Map<MemoryKind, Long>> rows,
      List<MemoryKind> kinds) {
    EnumMap<MemoryKind, Long> sums = new EnumMap<>(MemoryKind.class);
    String where = numbers(devices);
    rows.forEach(
        (role, bytes) -> {
          bytes.forEach((kind, count) -> sums.merge(kind, count, Long::sum));
          table.row(cells(phase, where, role, bytes, kinds, ""));
        });
    long capacity = Objects.requireNonNull(plan.capacity().get(devices.getFirst()));
    table.row(cells(phase, where, "all", sums, kinds, size(capacity)));
  }

  private static String[] cells(
      String phase,
      String devices,
      String role,
      Map<MemoryKind, Long> bytes,
      List<MemoryKind> kinds,
      String of) {
    String sum = size(new SessionMemory(0, bytes).resident());
    return row(phase, devices, role, kinds, kind -> size(bytes.getOrDefault(kind, 0L)), sum, of);
  }

  private static String[] row(
      String phase,
      String devices,
      String role,
      List<MemoryKind> kinds,
      Function<MemoryKind, String> cell,
      String sum,
      String of) {
    List<String> cells = new ArrayList<>(List.of(phase, devices, role));
    kinds.forEach(kind -> cells.add(cell.apply(kind)));
    cells.add(sum);
    cells.add(of);
    return cells.toArray(String[]::new);
  }

  private static String name(MemoryKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  /** Returns ascending device numbers as ranges; the whole machine is {@code cpu}. */
  private static String numbers(List<Integer> devices) {
    List<String> ranges = new ArrayList<>();
    for (int first = 0; first < devices.size(); ) {
      int end = first + 1;
      while (devices.get(first) >= 0
          && end < devices.size()
          && devices.get(end) == devices.get(first) + end - first) {
        end++;
      }
      String from = devices.get(first) < 0 ? "cpu" : devices.get(first).toString();
      ranges.add(end == first + 1 ? from : from + "-" + devices.get(end - 1));
      first = end;
    }
    return String.join(",", ranges);
  }

  private static String size(long bytes) {
    return bytes == 0 ? "-" : ByteSize.of(bytes);
  }
}

package roll.core.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionMemory;
import roll.core.output.RunLog;
import roll.runtime.pipeline.MemoryPlan;

/**
 * Measured and planned memory of the models on each device by phase, as metrics and log lines.
 * Activations are not included: they are allocated and freed inside native calls.
 */
public final class MemoryMetrics {
  private static final double MEGABYTE = 1 << 20;

  private final Map<String, Double> metrics;
  private final RunLog log;
  private final @Nullable MemoryPlan plan;

  /**
   * Creates the memory metrics of one step.
   *
   * @param metrics receives the metrics
   * @param plan the memory plan, or null if unknown
   */
  public MemoryMetrics(Map<String, Double> metrics, RunLog log, @Nullable MemoryPlan plan) {
    this.metrics = metrics;
    this.log = log;
    this.plan = plan;
  }

  /**
   * Records the memory used in {@code phase}; if roles alternate in a phase, the maximum counts.
   */
  public void take(String phase, List<SessionMemory> held) {
    Map<Integer, Long> sums = new TreeMap<>();
    held.forEach(one -> sums.merge(one.device(), state(one), Long::sum));
    sums.forEach((device, bytes) -> put(device, phase, "held", bytes));
    expected(phase).forEach((device, bytes) -> put(device, phase, "expected", bytes));
    for (SessionMemory one : held) {
      Long reserved = one.bytes().get(MemoryKind.RESERVED);
      if (reserved != null) {
        put(one.device(), phase, "reserved", reserved);
      }
    }
    sums.forEach((device, bytes) -> log.line(line(device, phase)));
  }

  private void put(int device, String phase, String name, long bytes) {
    metrics.merge(metric(device, phase, name), bytes / MEGABYTE, Math::max);
  }

  private static String metric(int device, String phase, String name) {
    return "memory/device_" + (device < 0 ? "cpu" : device) + "/step_" + phase + "/" + name;
  }

  private String line(int device, String phase) {
    return String.format(
        Locale.ROOT,
        "memory %s %s: %.1f MB held%s%s",
        phase,
        device < 0 ? "cpu" : "device " + device,
        metrics.get(metric(device, phase, "held")),
        text(", %.1f MB expected", metrics.get(metric(device, phase, "expected"))),
        text(", %.1f MB of the card in use", metrics.get(metric(device, phase, "reserved"))));
  }

  private static String text(String format, @Nullable Double megabytes) {
    return megabytes == null ? "" : String.format(Locale.ROOT, format, megabytes);
  }

  /** Returns the planned memory by device, in the turn of {@code phase} with the most memory. */
  private Map<Integer, Long> expected(String phase) {
    Map<Integer, Long> most = new TreeMap<>();
    if (plan == null || !plan.unknown().isEmpty()) {
      return most;
    }
    for (String turn : plan.phases()) {
      if (turn.equals(phase) || turn.startsWith(phase + "/")) {
        Map<Integer, Long> sums = new TreeMap<>();
        plan.shares().stream()
            .filter(share -> share.phase().equals(turn))
            .forEach(
                share -> sums.merge(share.memory().device(), state(share.memory()), Long::sum));
        sums.forEach((device, bytes) -> most.merge(device, bytes, Math::max));
      }
    }
    return most;
  }

  private static long state(SessionMemory memory) {
    return memory.resident() - memory.bytes().getOrDefault(MemoryKind.ACTIVATIONS, 0L);
  }
}

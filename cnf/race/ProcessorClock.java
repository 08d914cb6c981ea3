import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The processor time of a process over its life, by which that of a phase is found. */
class ProcessorClock {
  /** The metrics of a step in their order, with the phase of each. */
  private static final List<Map.Entry<String, String>> ORDER =
      List.of(
          Map.entry("time/step_model_update", "rollout"),
          Map.entry("time/step_rollout", "rollout"),
          Map.entry("time/step_offload", "other"),
          Map.entry("time/step_old_log_probs_values", "log-probs"),
          Map.entry("time/step_train", "training"));

  private final ProcessHandle process;
  private final TreeMap<Long, Double> samples = new TreeMap<>();

  ProcessorClock(Process process) {
    this.process = process.toHandle();
  }

  /** Notes the processor time of now, unless the process has ended. */
  void sample() {
    long now = System.nanoTime();
    process.info().totalCpuDuration().ifPresent(used -> samples.put(now, used.toNanos() * 1e-9));
  }

  /** Returns the times of a step with {@code metrics} that has just ended. */
  PhaseTimes times(Map<String, Double> metrics) {
    Map<String, Double> wall = new TreeMap<>();
    Map<String, Double> processor = new TreeMap<>();
    double total = metrics.get("time/step_total");
    double at = samples.lastKey() * 1e-9 - total;
    double all = used(at + total) - used(at);
    for (Map.Entry<String, String> phase : ORDER) {
      double seconds = metrics.getOrDefault(phase.getKey(), 0.0);
      wall.merge(phase.getValue(), seconds, Double::sum);
      processor.merge(phase.getValue(), used(at + seconds) - used(at), Double::sum);
      at += seconds;
    }
    wall.merge("other", total - wall.values().stream().mapToDouble(s -> s).sum(), Double::sum);
    processor.merge(
        "other", all - processor.values().stream().mapToDouble(s -> s).sum(), Double::sum);
    return new PhaseTimes(wall, processor);
  }

  /** Returns the processor seconds up to a moment, between samples in proportion. */
  private double used(double moment) {
    long nanos = Math.round(moment * 1e9);
    Map.Entry<Long, Double> before = samples.floorEntry(nanos);
    Map.Entry<Long, Double> after = samples.ceilingEntry(nanos);
    if (before == null || after == null || before.equals(after)) {
      return (before == null ? samples.firstEntry() : after == null ? before : after).getValue();
    }
    double share = (double) (nanos - before.getKey()) / (after.getKey() - before.getKey());
    return before.getValue() + share * (after.getValue() - before.getValue());
  }
}

package roll.ui.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import roll.runtime.pipeline.Plan;

/**
 * The memory that a run is expected to hold.
 *
 * @param phases in the order of a step
 * @param capacity megabytes by device; {@code cpu} is the machine
 * @param unknown roles whose strategy does not tell
 * @param refusal what does not fit, or null
 */
record RunPlan(
    List<Phase> phases,
    Map<String, Double> capacity,
    List<String> unknown,
    @Nullable String refusal) {
  private static final double MEGABYTE = 1 << 20;

  /** Megabytes that all roles hold together in a phase, by device. */
  record Phase(String name, Map<String, Double> devices) {}

  /** What {@code plan} says. */
  static RunPlan of(Plan plan) {
    return new RunPlan(
        plan.phases().stream().map(name -> new Phase(name, megabytes(plan.held(name)))).toList(),
        megabytes(plan.capacity()),
        plan.unknown(),
        plan.refusal());
  }

  private static Map<String, Double> megabytes(Map<Integer, Long> bytes) {
    Map<String, Double> named = new LinkedHashMap<>();
    new TreeMap<>(bytes)
        .forEach(
            (device, held) -> named.put(device < 0 ? "cpu" : device.toString(), held / MEGABYTE));
    return named;
  }
}

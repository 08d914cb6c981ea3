package roll.ui.run;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import roll.api.memory.DeviceMemory;
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

  /**
   * What all roles hold together in a phase.
   *
   * @param devices megabytes of the device's own memory, by device
   * @param states megabytes by device and by what they are held for, such as {@code kv_cache};
   *     those {@code offloaded} are not counted in {@code devices}
   */
  record Phase(String name, Map<String, Double> devices, Map<String, Map<String, Double>> states) {}

  /** What {@code plan} says. */
  static RunPlan of(Plan plan) {
    return new RunPlan(
        plan.phases().stream()
            .map(name -> new Phase(name, megabytes(plan.held(name)), states(plan, name)))
            .toList(),
        megabytes(plan.capacity()),
        plan.unknown(),
        plan.refusal());
  }

  private static Map<String, Map<String, Double>> states(Plan plan, String phase) {
    Map<String, Map<String, Double>> states = new LinkedHashMap<>();
    plan.shares().stream()
        .filter(share -> share.phase().equals(phase))
        .map(Plan.Share::memory)
        .sorted(Comparator.comparingInt(DeviceMemory::device))
        .forEach(
            memory -> {
              Map<String, Double> held =
                  states.computeIfAbsent(name(memory.device()), _ -> new LinkedHashMap<>());
              memory
                  .bytes()
                  .forEach(
                      (kind, bytes) ->
                          held.merge(
                              kind.name().toLowerCase(Locale.ROOT), bytes / MEGABYTE, Double::sum));
            });
    return states;
  }

  private static String name(int device) {
    return device < 0 ? "cpu" : String.valueOf(device);
  }

  private static Map<String, Double> megabytes(Map<Integer, Long> bytes) {
    Map<String, Double> named = new LinkedHashMap<>();
    new TreeMap<>(bytes).forEach((device, held) -> named.put(name(device), held / MEGABYTE));
    return named;
  }
}

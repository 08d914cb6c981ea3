package roll.ui.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The phases of one step.
 *
 * @param step its number
 * @param seconds of the whole step; of its phases together where it does not tell
 * @param phases in the order in which they were
 */
public record StepPhases(int step, double seconds, List<Phase> phases) {
  private static final String TIME = "time/step_";
  private static final String MEMORY = "memory/step_";
  private static final String DEVICE = "memory/device_";
  private static final String TOTAL = "total";

  /**
   * One phase.
   *
   * @param name as in the metric {@code time/step_<name>}
   * @param start seconds of the phases before it: what is between phases is not counted
   * @param seconds that it took
   * @param memory megabytes the process held before and after it, or null
   * @param devices what the models held, by device, {@code cpu} among them
   */
  public record Phase(
      String name,
      double start,
      double seconds,
      @Nullable Memory memory,
      Map<String, Held> devices) {}

  /** Megabytes before and after a phase; null where that is not known. */
  public record Memory(@Nullable Double start, @Nullable Double end) {}

  /**
   * Megabytes on a device in a phase; null where that is not known.
   *
   * @param held at most
   * @param expected as the plan said
   * @param reserved of the card, whoever uses them
   */
  public record Held(@Nullable Double held, @Nullable Double expected, @Nullable Double reserved) {}

  /** Whether {@link #of} needs {@code metric}. */
  static boolean needs(String metric) {
    return metric.startsWith(TIME) || metric.startsWith(MEMORY) || metric.startsWith(DEVICE);
  }

  /**
   * The phases of {@code step}.
   *
   * @param values of its metrics, in the order of its line
   */
  static StepPhases of(int step, Map<String, Double> values) {
    List<Phase> phases = new ArrayList<>();
    double start = 0;
    for (Map.Entry<String, Double> value : values.entrySet()) {
      String name = value.getKey();
      if (name.startsWith(TIME) && !name.equals(TIME + TOTAL)) {
        String phase = name.substring(TIME.length());
        phases.add(
            new Phase(
                phase, start, value.getValue(), memory(values, phase), devices(values, phase)));
        start += value.getValue();
      }
    }
    return new StepPhases(step, values.getOrDefault(TIME + TOTAL, start), phases);
  }

  private static @Nullable Memory memory(Map<String, Double> values, String phase) {
    Double start = values.get(MEMORY + phase + "/start");
    Double end = values.get(MEMORY + phase + "/end");
    return start == null && end == null ? null : new Memory(start, end);
  }

  /** From {@code memory/device_<n>/step_<phase>/…}. */
  private static Map<String, Held> devices(Map<String, Double> values, String phase) {
    Map<String, Held> devices = new LinkedHashMap<>();
    String middle = "/step_" + phase + "/";
    for (String name : values.keySet()) {
      int end = name.indexOf('/', DEVICE.length());
      if (name.startsWith(DEVICE) && end > 0 && name.startsWith(middle, end)) {
        String of = name.substring(0, end) + middle;
        devices.computeIfAbsent(
            name.substring(DEVICE.length(), end),
            _ ->
                new Held(
                    values.get(of + "held"),
                    values.get(of + "expected"),
                    values.get(of + "reserved")));
      }
    }
    return devices;
  }
}

package roll.ui.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.ui.metric.MetricFile;

/**
 * The phases of some steps of a run, and their tokens per second.
 *
 * @param complete whether all steps were read; otherwise later ones may follow
 */
record PhaseTimeline(List<Step> steps, Speeds tps, boolean complete) {
  /** The maximum number of steps of an answer. */
  static final int MAX_STEPS = 200;

  private static final String TIME = "time/step_";
  private static final String MEMORY = "memory/step_";
  private static final String DEVICE = "memory/device_";
  private static final String TOTAL = TIME + "total";
  private static final String IDLE = "idle/";

  /** Both are tokens per second of a step. */
  private static final List<String> SPEEDS = List.of("system/tps", "sft/tps");

  /** Tokens per second by step; NaN where a step has none. */
  record Speeds(List<Integer> step, List<Double> value) {}

  /**
   * The phases of one step.
   *
   * @param seconds of the whole step; the sum of its phases where it has no total
   * @param phases in their order
   * @param idle share of the step in which a device was idle, by device and by cause and {@code
   *     total}
   */
  record Step(
      int step, double seconds, List<Phase> phases, Map<String, Map<String, Double>> idle) {}

  /**
   * One phase of a step with its duration.
   *
   * @param name as in the metric {@code time/step_<name>}
   * @param start seconds of the phases before it; time between phases is not counted
   * @param seconds of the phase
   * @param memory megabytes of the process before and after it, or null
   * @param devices memory of models by device, {@code cpu} among them
   */
  record Phase(
      String name,
      double start,
      double seconds,
      @Nullable Memory memory,
      Map<String, Held> devices) {}

  /** Megabytes before and after a phase; null where unknown. */
  record Memory(@Nullable Double start, @Nullable Double end) {}

  /**
   * Megabytes on a device in a phase; null where unknown.
   *
   * @param held by models, the maximum
   * @param expected by the plan
   * @param reserved in use on the GPU, by any process
   */
  record Held(@Nullable Double held, @Nullable Double expected, @Nullable Double reserved) {}

  /**
   * Returns the steps of {@code metrics} from {@code from} to {@code to}, inclusive; the last
   * {@link #MAX_STEPS} of them.
   */
  static PhaseTimeline of(MetricFile metrics, int from, int to)
      throws IOException, InterruptedException {
    MetricFile.Overview all = metrics.overview();
    int end = Math.min(to, all.last());
    int begin = Math.max(Math.max(0, from), end - MAX_STEPS + 1);
    PhaseTimeline timeline =
        new PhaseTimeline(
            new ArrayList<>(), new Speeds(new ArrayList<>(), new ArrayList<>()), all.complete());
    if (begin <= end) {
      metrics.rows(begin, end, PhaseTimeline::needs, timeline::add);
    }
    return timeline;
  }

  private static boolean needs(String metric) {
    return metric.startsWith(TIME)
        || metric.startsWith(MEMORY)
        || metric.startsWith(DEVICE)
        || metric.startsWith(IDLE)
        || SPEEDS.contains(metric);
  }

  private void add(int step, Map<String, Double> values) {
    List<Phase> phases = new ArrayList<>();
    double start = 0;
    double speed = Double.NaN;
    Map<String, Map<String, Double>> idle = new LinkedHashMap<>();
    for (Map.Entry<String, Double> value : values.entrySet()) {
      String name = value.getKey();
      if (name.startsWith(TIME) && !name.equals(TOTAL)) {
        String phase = name.substring(TIME.length());
        phases.add(
            new Phase(
                phase, start, value.getValue(), memory(values, phase), devices(values, phase)));
        start += value.getValue();
      } else if (SPEEDS.contains(name)) {
        speed = value.getValue();
      } else if (name.startsWith(IDLE) && name.lastIndexOf('/') > IDLE.length()) {
        int cause = name.lastIndexOf('/');
        idle.computeIfAbsent(name.substring(IDLE.length(), cause), _ -> new LinkedHashMap<>())
            .put(name.substring(cause + 1), value.getValue());
      }
    }
    steps.add(new Step(step, values.getOrDefault(TOTAL, start), phases, idle));
    tps.step().add(step);
    tps.value().add(speed);
  }

  private static @Nullable Memory memory(Map<String, Double> values, String phase) {
    Double start = values.get(MEMORY + phase + "/start");
    Double end = values.get(MEMORY + phase + "/end");
    return start == null && end == null ? null : new Memory(start, end);
  }

  /** Reads the metrics {@code memory/device_<n>/step_<phase>/…}. */
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

package roll.ui.system;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.runtime.pipeline.TrainingRun;

/**
 * Megabytes of the models of runs on a device, by the metrics {@code
 * memory/device_<n>/step_<phase>/…} of their last steps: the maximum of the phases, summed over
 * runs.
 *
 * @param held by models, the maximum
 * @param expected by the plan, or null
 * @param reserved in use on the GPU, by any process; null on a CPU
 */
record ModelMemory(@Nullable Double held, @Nullable Double expected, @Nullable Double reserved) {
  /** The device number of the CPU as a whole. */
  static final int CPU = -1;

  /** Model memory of a device without models. */
  static final ModelMemory NONE = new ModelMemory(null, null, null);

  private static final Pattern METRIC =
      Pattern.compile("memory/device_(cpu|\\d{1,6})/step_.+/(held|expected|reserved)");

  /** Returns the memory of all {@code runs}, by device. */
  static Map<Integer, ModelMemory> of(Iterable<TrainingRun> runs) {
    Map<Integer, ModelMemory> all = new TreeMap<>();
    for (TrainingRun run : runs) {
      of(run.status().metrics())
          .forEach((device, memory) -> all.merge(device, memory, ModelMemory::plus));
    }
    return all;
  }

  private static Map<Integer, ModelMemory> of(Map<String, Double> metrics) {
    Map<Integer, ModelMemory> devices = new TreeMap<>();
    metrics.forEach(
        (name, value) -> {
          Matcher metric = METRIC.matcher(name);
          if (metric.matches()) {
            String number = metric.group(1);
            devices.merge(
                number.equals("cpu") ? CPU : Integer.parseInt(number),
                one(metric.group(2), value),
                ModelMemory::max);
          }
        });
    return devices;
  }

  private static ModelMemory one(String what, double megabytes) {
    return switch (what) {
      case "held" -> new ModelMemory(megabytes, null, null);
      case "expected" -> new ModelMemory(null, megabytes, null);
      default -> new ModelMemory(null, null, megabytes);
    };
  }

  private ModelMemory max(ModelMemory other) {
    return new ModelMemory(
        max(held, other.held), max(expected, other.expected), max(reserved, other.reserved));
  }

  /** Adds the memory of another run; {@code reserved} already includes all runs. */
  private ModelMemory plus(ModelMemory other) {
    return new ModelMemory(
        sum(held, other.held), sum(expected, other.expected), max(reserved, other.reserved));
  }

  private static @Nullable Double max(@Nullable Double a, @Nullable Double b) {
    return a == null ? b : b == null ? a : Double.valueOf(Math.max(a, b));
  }

  private static @Nullable Double sum(@Nullable Double a, @Nullable Double b) {
    return a == null ? b : b == null ? a : Double.valueOf(a + b);
  }
}

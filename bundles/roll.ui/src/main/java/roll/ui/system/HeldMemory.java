package roll.ui.system;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.runtime.pipeline.TrainingRun;

/**
 * What the models of runs hold on a device, in megabytes, by the metrics {@code
 * memory/device_<n>/step_<phase>/…} of their last steps: of a step the phase in which it is most,
 * all runs together.
 *
 * @param held at most
 * @param expected what the plan says; null where it says nothing
 * @param reserved in use of a card, whoever uses it; null on a CPU
 */
record HeldMemory(@Nullable Double held, @Nullable Double expected, @Nullable Double reserved) {
  /** The number that stands for the CPU as a whole. */
  static final int CPU = -1;

  /** Nothing. */
  static final HeldMemory NONE = new HeldMemory(null, null, null);

  private static final Pattern METRIC =
      Pattern.compile("memory/device_(cpu|\\d{1,6})/step_.+/(held|expected|reserved)");

  /** Of {@code runs} together, by device. */
  static Map<Integer, HeldMemory> of(Iterable<TrainingRun> runs) {
    Map<Integer, HeldMemory> all = new TreeMap<>();
    for (TrainingRun run : runs) {
      of(run.status().metrics())
          .forEach((device, memory) -> all.merge(device, memory, HeldMemory::plus));
    }
    return all;
  }

  private static Map<Integer, HeldMemory> of(Map<String, Double> metrics) {
    Map<Integer, HeldMemory> devices = new TreeMap<>();
    metrics.forEach(
        (name, value) -> {
          Matcher metric = METRIC.matcher(name);
          if (metric.matches()) {
            String number = metric.group(1);
            devices.merge(
                number.equals("cpu") ? CPU : Integer.parseInt(number),
                one(metric.group(2), value),
                HeldMemory::most);
          }
        });
    return devices;
  }

  private static HeldMemory one(String what, double megabytes) {
    return switch (what) {
      case "held" -> new HeldMemory(megabytes, null, null);
      case "expected" -> new HeldMemory(null, megabytes, null);
      default -> new HeldMemory(null, null, megabytes);
    };
  }

  private HeldMemory most(HeldMemory other) {
    return new HeldMemory(
        most(held, other.held), most(expected, other.expected), most(reserved, other.reserved));
  }

  /** What is in use of a card is that of all runs already. */
  private HeldMemory plus(HeldMemory other) {
    return new HeldMemory(
        sum(held, other.held), sum(expected, other.expected), most(reserved, other.reserved));
  }

  private static @Nullable Double most(@Nullable Double a, @Nullable Double b) {
    return a == null ? b : b == null ? a : Double.valueOf(Math.max(a, b));
  }

  private static @Nullable Double sum(@Nullable Double a, @Nullable Double b) {
    return a == null ? b : b == null ? a : Double.valueOf(a + b);
  }
}

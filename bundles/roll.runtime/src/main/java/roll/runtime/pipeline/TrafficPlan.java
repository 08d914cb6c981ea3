package roll.runtime.pipeline;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Estimated traffic and duration of a step on more machines than this one.
 *
 * @param rows by number of accelerators, then in the order of a step
 * @param refusals by number of accelerators reason for which the run cannot use that number
 */
public record TrafficPlan(List<Row> rows, Map<Integer, String> refusals) {
  /** Creates a traffic plan with immutable copies of the collections. */
  public TrafficPlan {
    rows = List.copyOf(rows);
    refusals = Map.copyOf(refusals);
  }

  /**
   * One phase of a step in the traffic plan. Bytes and seconds are those of the machine, or
   * accelerator, that has most.
   *
   * @param gpus how many accelerators
   * @param phase its name
   * @param wire bytes between a machine and others
   * @param link bytes between an accelerator and others of its machine
   * @param computing seconds for its operations
   * @param reading seconds for reading the weights from memory
   * @param onWire seconds for {@code wire}
   * @param onLink seconds for {@code link}
   */
  public record Row(
      int gpus,
      String phase,
      double wire,
      double link,
      double computing,
      double reading,
      double onWire,
      double onLink) {
    /**
     * Returns the duration of the phase: the longest of computing and communication, which overlap.
     */
    public double seconds() {
      return Math.max(Math.max(computing, reading), Math.max(onWire, onLink));
    }

    /** Returns the bottleneck: compute, memory, wire or link. */
    public String bound() {
      if (seconds() == computing) {
        return "compute";
      }
      return seconds() == reading ? "memory" : seconds() == onWire ? "wire" : "link";
    }
  }

  /** Seconds of a step with {@code gpus} accelerators. */
  public double step(int gpus) {
    return rows.stream().filter(row -> row.gpus() == gpus).mapToDouble(Row::seconds).sum();
  }

  /** Returns the longest phase with {@code gpus} accelerators; null where there are no rows. */
  public @Nullable Row longest(int gpus) {
    return rows.stream()
        .filter(row -> row.gpus() == gpus)
        .max(Comparator.comparingDouble(Row::seconds))
        .orElse(null);
  }

  /** Returns the numbers of accelerators in the plan, ascending. */
  public List<Integer> gpus() {
    Map<Integer, Boolean> all = new TreeMap<>();
    rows.forEach(row -> all.put(row.gpus(), true));
    refusals.keySet().forEach(count -> all.put(count, true));
    return List.copyOf(all.keySet());
  }
}

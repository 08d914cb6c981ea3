import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Seconds of a step by phase.
 *
 * @param wall seconds on the clock
 * @param processor seconds of all cores together
 */
record PhaseTimes(Map<String, Double> wall, Map<String, Double> processor) {
  static final List<String> PHASES = List.of("rollout", "log-probs", "training", "other");

  /** Returns the median of each phase and of the sum. */
  static PhaseTimes median(List<PhaseTimes> steps) {
    PhaseTimes result = new PhaseTimes(new TreeMap<>(), new TreeMap<>());
    for (String phase : PHASES) {
      result.wall.put(phase, middle(steps, phase, false));
      result.processor.put(phase, middle(steps, phase, true));
    }
    result.wall.put("step", middle(steps, "step", false));
    result.processor.put("step", middle(steps, "step", true));
    return result;
  }

  private static double middle(List<PhaseTimes> steps, String phase, boolean processor) {
    double[] sorted =
        steps.stream().mapToDouble(s -> s.seconds(phase, processor)).sorted().toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  /** Returns the seconds of a phase, or those of the whole {@code step}. */
  double seconds(String phase, boolean ofProcessor) {
    Map<String, Double> seconds = ofProcessor ? processor : wall;
    return phase.equals("step") && !seconds.containsKey("step")
        ? seconds.values().stream().mapToDouble(s -> s).sum()
        : seconds.getOrDefault(phase, 0.0);
  }
}

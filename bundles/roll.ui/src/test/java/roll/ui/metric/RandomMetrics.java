package roll.ui.metric;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import roll.ui.RunFolderMaker;

/** Steps with random metrics: gaps between steps, missing metrics, values that are not numbers. */
final class RandomMetrics {
  static final List<String> NAMES = List.of("often", "seldom", "none", "late");

  /** By step; NaN where the file has null. */
  final TreeMap<Integer, Map<String, Double>> steps = new TreeMap<>();

  private final Random random;
  private int next;

  RandomMetrics(long seed) {
    random = new Random(seed);
  }

  /** The lines of {@code count} more steps. */
  String more(int count) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      Map<String, Double> metrics = new LinkedHashMap<>();
      metrics.put("often", random.nextInt(10) == 0 ? Double.NaN : random.nextGaussian());
      if (random.nextInt(30) == 0) {
        metrics.put("seldom", Math.exp(20 * random.nextGaussian()));
      }
      metrics.put("none", Double.NaN);
      if (next > 500 && random.nextBoolean()) {
        metrics.put("late", -random.nextDouble());
      }
      metrics.put("time/step_total", 1 + random.nextDouble());
      steps.put(next, metrics);
      lines.append(RunFolderMaker.line(next, metrics));
      next += random.nextInt(20) == 0 ? 1 + random.nextInt(5) : 1;
    }
    return lines.toString();
  }

  /** A number below {@code bound}. */
  int below(int bound) {
    return random.nextInt(bound);
  }
}

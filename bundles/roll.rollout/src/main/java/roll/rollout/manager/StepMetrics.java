package roll.rollout.manager;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.api.env.Scenario.Aggregation;

/** Aggregates the metrics of an episode's steps. */
final class StepMetrics {
  private final Map<String, List<Double>> values = new LinkedHashMap<>();

  /** Adds the metrics of one step to those of the episode. */
  void add(Map<String, Double> step) {
    step.forEach((name, value) -> values.computeIfAbsent(name, n -> new ArrayList<>()).add(value));
  }

  /** Returns the names of all metrics. */
  Set<String> names() {
    return values.keySet();
  }

  /** Returns one value per metric, aggregated by {@code how}; others are averaged. */
  Map<String, Double> aggregate(Map<String, Aggregation> how) {
    Map<String, Double> metrics = new LinkedHashMap<>();
    values.forEach(
        (name, steps) ->
            metrics.put(name, aggregate(how.getOrDefault(name, Aggregation.MEAN), steps)));
    return metrics;
  }

  private static double aggregate(Aggregation how, List<Double> steps) {
    double sum = 0;
    double most = steps.getFirst();
    double least = steps.getFirst();
    for (double value : steps) {
      sum += value;
      most = Math.max(most, value);
      least = Math.min(least, value);
    }
    return switch (how) {
      case MEAN -> sum / steps.size();
      case SUM -> sum;
      case MAX -> most;
      case MIN -> least;
      case FIRST -> steps.getFirst();
      case LAST -> steps.getLast();
    };
  }
}

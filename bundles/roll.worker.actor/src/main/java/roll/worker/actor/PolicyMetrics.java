package roll.worker.actor;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import roll.api.strategy.UpdateReport;

/**
 * Gathers what the loss and the optimizer report: shares of one optimizer step are added up, steps
 * are averaged; names ending in {@code _max} or {@code _min} are combined by maximum or minimum.
 */
final class PolicyMetrics {
  private final Map<String, Double> sums = new LinkedHashMap<>();
  private double gradNorm;
  private double learningRate;
  private double lossSeconds;
  private int steps;
  private int skipped;

  /** Adds one part's shares. */
  synchronized void add(Map<String, Double> shares) {
    shares.forEach((name, share) -> sums.merge(name, share, how(name)::applyAsDouble));
  }

  /** Adds one optimizer step. */
  synchronized void add(UpdateReport report) {
    steps++;
    skipped += report.skipped() ? 1 : 0;
    gradNorm += report.skipped() ? 0 : report.gradNorm();
    learningRate = report.learningRate();
    lossSeconds += report.lossSeconds();
  }

  /** The metrics of all steps; the gradient norm is that of the steps that were not skipped. */
  synchronized Map<String, Double> all() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    sums.forEach(
        (name, sum) -> metrics.put(name, how(name) == SUM ? sum / Math.max(1, steps) : sum));
    metrics.put("actor/lr", learningRate);
    if (steps > skipped) {
      metrics.put("actor_train/grad_norm", gradNorm / (steps - skipped));
    }
    metrics.put("actor/backward_steps", (double) steps);
    metrics.put("actor/skipped_updates", (double) skipped);
    metrics.put("time/actor_train/loss", lossSeconds);
    return metrics;
  }

  private static final DoubleBinaryOperator SUM = Double::sum;

  private static DoubleBinaryOperator how(String name) {
    return name.endsWith("_max") ? Math::max : name.endsWith("_min") ? Math::min : SUM;
  }
}

package roll.runtime.worker;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import roll.api.strategy.UpdateReport;

/**
 * Gathers what the loss and the optimizer report: shares of one optimizer step are added up, steps
 * are averaged; names ending in {@code _max} or {@code _min} are combined by maximum or minimum.
 */
public final class UpdateMetrics {
  private final String role;
  private final String prefix;
  private final Map<String, Double> sums = new LinkedHashMap<>();
  private double gradNorm;
  private double learningRate;
  private double lossSeconds;
  private double sharedTokens;
  private int steps;
  private int skipped;

  /**
   * Creates empty metrics.
   *
   * @param role that is trained: {@code <role>/grad_norm}, {@code time/<role>/loss}
   * @param prefix of its other metrics: {@code <prefix>/lr} …
   */
  public UpdateMetrics(String role, String prefix) {
    this.role = role;
    this.prefix = prefix;
  }

  /** Adds the loss metrics of one micro-batch. */
  public synchronized void add(Map<String, Double> shares) {
    shares.forEach((name, share) -> sums.merge(name, share, how(name)::applyAsDouble));
  }

  /** Adds the metrics of one optimizer step. */
  public synchronized void add(UpdateReport report) {
    steps++;
    skipped += report.skipped() ? 1 : 0;
    gradNorm += report.skipped() ? 0 : report.gradNorm();
    learningRate = report.learningRate();
    lossSeconds += report.lossSeconds();
    sharedTokens += report.sharedTokens();
  }

  /** Adds optimizer steps that were not even tried. */
  public synchronized void skip(int updates) {
    steps += updates;
    skipped += updates;
  }

  /** Returns the number of optimizer steps, including skipped ones. */
  public synchronized int steps() {
    return steps;
  }

  /** Returns the number of skipped optimizer steps. */
  public synchronized int skipped() {
    return skipped;
  }

  /** The metrics of all steps; the gradient norm is that of the steps that were not skipped. */
  public synchronized Map<String, Double> all() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    sums.forEach(
        (name, sum) -> metrics.put(name, how(name) == SUM ? sum / Math.max(1, steps) : sum));
    metrics.put(prefix + "/lr", learningRate);
    if (steps > skipped) {
      metrics.put(role + "/grad_norm", gradNorm / (steps - skipped));
    }
    metrics.put(prefix + "/backward_steps", (double) steps);
    metrics.put(prefix + "/skipped_updates", (double) skipped);
    metrics.put("time/" + role + "/loss", lossSeconds);
    if (sharedTokens > 0) {
      metrics.put(prefix + "/shared_tokens", sharedTokens / steps);
    }
    return metrics;
  }

  private static final DoubleBinaryOperator SUM = Double::sum;

  private static DoubleBinaryOperator how(String name) {
    return name.endsWith("_max") ? Math::max : name.endsWith("_min") ? Math::min : SUM;
  }
}

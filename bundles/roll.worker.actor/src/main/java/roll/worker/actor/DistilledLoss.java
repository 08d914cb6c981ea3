package roll.worker.actor;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.strategy.Gradients;
import roll.math.TokenWeights;
import roll.runtime.config.algorithm.DistillConfig;

/**
 * The loss of a part of an optimizer batch with the divergence from a teacher mixed in.
 *
 * @param gradients of the mixture
 * @param metrics of the loss, and the aggregated divergence
 */
record DistilledLoss(Gradients gradients, Map<String, Double> metrics) {
  private static final String DIVERGENCE = "actor/distill_loss";
  private static final String TOTAL = "actor/total_loss";

  /**
   * Mixes {@code result}, the loss of {@code part}, with its divergences.
   *
   * @param config null for the loss alone
   */
  static DistilledLoss of(
      @Nullable DistillConfig config, LossResult result, LossInput part, double[] divergences) {
    if (config == null) {
      return new DistilledLoss(
          new Gradients(result.logProbGradient(), result.entropyGradient()), result.metrics());
    }
    double weight = config.weight();
    double[] by = TokenWeights.of(part);
    double sum = 0;
    for (int t = 0; t < by.length; t++) {
      if (part.layout().mask()[t]) {
        sum += by[t] * divergences[t];
      }
      by[t] *= weight;
    }
    Map<String, Double> metrics = new LinkedHashMap<>(result.metrics());
    metrics.put(DIVERGENCE, sum);
    double total = (1 - weight) * result.loss() + weight * sum;
    metrics.computeIfPresent(TOTAL, (_, _) -> total);
    return new DistilledLoss(
        new Gradients(
            scaled(1 - weight, result.logProbGradient()),
            scaled(1 - weight, result.entropyGradient()),
            by),
        metrics);
  }

  private static double[] scaled(double factor, double[] gradient) {
    return Arrays.stream(gradient).map(x -> factor * x).toArray();
  }
}

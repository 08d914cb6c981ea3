package roll.api.preference;

import java.util.Map;

/**
 * The value of an objective with its derivatives.
 *
 * @param loss of the batch
 * @param gradient derivative of the loss by the log-prob of each answer
 * @param rewards implicit reward of each answer, for metrics
 * @param metrics of the objective's own
 */
public record PreferenceResult(
    double loss, double[] gradient, double[] rewards, Map<String, Double> metrics) {}

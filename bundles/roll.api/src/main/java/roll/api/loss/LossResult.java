package roll.api.loss;

import java.util.Map;

/**
 * The value of a loss with its gradient.
 *
 * @param loss contribution of this part to the loss
 * @param logProbGradient derivative of the loss by each log-prob; 0 outside the mask
 * @param entropyGradient derivative of the loss by each entropy; 0 outside the mask
 * @param metrics contribution of this part to each metric: parts are summed; names ending in {@code
 *     _max} or {@code _min} are combined by maximum or minimum
 */
public record LossResult(
    double loss, double[] logProbGradient, double[] entropyGradient, Map<String, Double> metrics) {}

package roll.api.loss;

import java.util.Map;

/**
 * A loss with its gradient.
 *
 * @param loss this part's share of the loss
 * @param logProbGradient derivative of the loss by each log-prob; 0 outside the mask
 * @param entropyGradient derivative of the loss by each entropy; 0 outside the mask
 * @param metrics this part's share of each metric: shares of all parts are added up; names ending
 *     in {@code _max} or {@code _min} are combined by maximum or minimum instead
 */
public record LossResult(
    double loss, double[] logProbGradient, double[] entropyGradient, Map<String, Double> metrics) {}

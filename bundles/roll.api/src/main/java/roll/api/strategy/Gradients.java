package roll.api.strategy;

/**
 * Derivatives of a loss, one cell per token of the samples asked about.
 *
 * @param logProbs by each log-prob
 * @param entropies by each entropy
 */
public record Gradients(double[] logProbs, double[] entropies) {}

package roll.api.strategy;

/**
 * Derivatives of a loss, one cell per token of the given samples.
 *
 * @param logProbs by log-prob
 * @param entropies by entropy
 */
public record Gradients(double[] logProbs, double[] entropies) {}

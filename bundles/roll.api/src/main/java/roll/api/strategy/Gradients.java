package roll.api.strategy;

/**
 * Derivatives of a loss, one cell per token of the given samples.
 *
 * @param logProbs by log-prob
 * @param entropies by entropy
 * @param divergences by divergence from a teacher; empty if there is no teacher
 */
public record Gradients(double[] logProbs, double[] entropies, double[] divergences) {
  private static final double[] NONE = {};

  /** Derivatives of a loss that reads no divergences. */
  public Gradients(double[] logProbs, double[] entropies) {
    this(logProbs, entropies, NONE);
  }
}

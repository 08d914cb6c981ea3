package roll.api.strategy;

/**
 * Scores of tokens, one cell per token of the batch; 0 if not scored.
 *
 * @param logProbs log-prob of each token given its prefix, of logits divided by {@link
 *     roll.api.config.ModelConfig#temperature}
 * @param entropies entropy of the distribution over the vocabulary, in nats
 * @param sumPiSquared sum of the squared probabilities over the vocabulary; empty if not computed:
 *     in training, and by strategies that do not support it
 * @param divergences divergence of the distribution from a teacher's; empty if there is no teacher
 */
public record Scores(
    double[] logProbs, double[] entropies, double[] sumPiSquared, double[] divergences) {
  private static final double[] NONE = {};

  /** Scores without divergences. */
  public Scores(double[] logProbs, double[] entropies, double[] sumPiSquared) {
    this(logProbs, entropies, sumPiSquared, NONE);
  }

  /** Scores without the sums of squared probabilities. */
  public Scores(double[] logProbs, double[] entropies) {
    this(logProbs, entropies, NONE);
  }
}

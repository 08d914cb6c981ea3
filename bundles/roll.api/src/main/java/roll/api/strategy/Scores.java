package roll.api.strategy;

/**
 * What a model says of tokens, one cell per token of the batch asked about; 0 where not scored.
 *
 * @param logProbs log-prob of each token given those before it, of logits divided by {@link
 *     roll.api.config.ModelConfig#temperature}
 * @param entropies entropy of that distribution over all words, in nats
 * @param sumPiSquared sum of the squared probabilities of all words of that distribution; empty
 *     where it was not computed: in training, and by strategies that do not
 */
public record Scores(double[] logProbs, double[] entropies, double[] sumPiSquared) {
  private static final double[] NONE = {};

  /** Scores without the sums of squared probabilities. */
  public Scores(double[] logProbs, double[] entropies) {
    this(logProbs, entropies, NONE);
  }
}

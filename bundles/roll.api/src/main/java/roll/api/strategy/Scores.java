package roll.api.strategy;

/**
 * What a model says of tokens, one cell a token of the batch asked about; 0 where not scored.
 *
 * @param logProbs log-prob of each token given those before it, temperature 1
 * @param entropies entropy of the distribution the token was drawn from, in nats
 */
public record Scores(double[] logProbs, double[] entropies) {}

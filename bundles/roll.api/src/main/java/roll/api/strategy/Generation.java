package roll.api.strategy;

/**
 * One generated response.
 *
 * @param tokens its token ids, the stop token included
 * @param logProbs log-prob of each at temperature 1 over the whole vocabulary
 * @param stopped whether a stop token ended it; otherwise the limit did
 * @param weightVersion version of the weights that generated it
 */
public record Generation(int[] tokens, double[] logProbs, boolean stopped, long weightVersion) {}

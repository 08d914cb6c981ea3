package roll.api.strategy;

/**
 * One generated response.
 *
 * @param tokens its token ids as they were drawn, the stop token included
 * @param logProbs log-prob of each at temperature 1 over the whole vocabulary: what the model
 *     itself gives it, whatever the sampling; training uses these
 * @param samplingLogProbs log-prob of each in the distribution it was drawn from, that is after
 *     {@link Sampling}'s penalty, choices, temperature and filters; 0 where the likeliest was taken
 * @param stopped whether a stop token, a stop string or the end of a choice ended it; otherwise the
 *     limit did
 * @param weightVersion version of the weights that generated it
 */
public record Generation(
    int[] tokens,
    double[] logProbs,
    double[] samplingLogProbs,
    boolean stopped,
    long weightVersion) {}

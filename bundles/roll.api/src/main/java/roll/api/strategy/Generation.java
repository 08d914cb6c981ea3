package roll.api.strategy;

import java.util.Arrays;

/**
 * One generated response.
 *
 * @param tokens its token ids as they were drawn, the stop token included
 * @param logProbs log-prob of each over the whole vocabulary: what the model itself gives it when
 *     it is scored, whatever the sampling; training uses these
 * @param samplingLogProbs log-prob of each in the distribution it was drawn from, that is after
 *     {@link Sampling}'s penalty, choices, temperature and filters; 0 where the most likely was
 *     taken
 * @param stopped whether a stop token, a stop string or the end of a choice ended it; otherwise the
 *     limit did
 * @param weightVersions version of the weights that drew each token, which may change within a
 *     response; −1 where no model drew it
 */
public record Generation(
    int[] tokens,
    double[] logProbs,
    double[] samplingLogProbs,
    boolean stopped,
    long[] weightVersions) {
  /**
   * A response whose parts have the same length.
   *
   * @throws IllegalArgumentException if they have not
   */
  public Generation {
    if (logProbs.length != tokens.length
        || samplingLogProbs.length != tokens.length
        || weightVersions.length != tokens.length) {
      throw new IllegalArgumentException(
          "%d tokens came with %d log-probs, %d sampling log-probs and %d versions"
              .formatted(
                  tokens.length, logProbs.length, samplingLogProbs.length, weightVersions.length));
    }
  }

  /** A response that weights of one version drew. */
  public Generation(
      int[] tokens,
      double[] logProbs,
      double[] samplingLogProbs,
      boolean stopped,
      long weightVersion) {
    this(tokens, logProbs, samplingLogProbs, stopped, repeated(weightVersion, tokens.length));
  }

  /** Whether the model gave every token a finite log-prob; its weights are of no use where not. */
  public boolean finite() {
    return Arrays.stream(logProbs).allMatch(Double::isFinite);
  }

  private static long[] repeated(long version, int count) {
    long[] versions = new long[count];
    Arrays.fill(versions, version);
    return versions;
  }
}

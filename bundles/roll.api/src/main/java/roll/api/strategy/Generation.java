package roll.api.strategy;

import java.util.Arrays;

/**
 * One generated response of a model: tokens, log-probs and the reason of its end.
 *
 * @param tokens sampled token ids, including the stop token
 * @param logProbs log-prob of each token under the model, independent of the sampling settings;
 *     used in training
 * @param samplingLogProbs log-prob of each token in the distribution it was sampled from, after
 *     {@link Sampling}'s penalty, choices, temperature and filters; 0 with greedy sampling
 * @param stopped whether a stop token, a stop string, or a completed choice ended it; otherwise the
 *     length limit did
 * @param weightVersions version of the weights that sampled each token, which may change within a
 *     response; −1 if no model sampled it
 */
public record Generation(
    int[] tokens,
    double[] logProbs,
    double[] samplingLogProbs,
    boolean stopped,
    long[] weightVersions) {
  /**
   * Checks the lengths.
   *
   * @throws IllegalArgumentException if they differ
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

  /** A response sampled with a single version of the weights. */
  public Generation(
      int[] tokens,
      double[] logProbs,
      double[] samplingLogProbs,
      boolean stopped,
      long weightVersion) {
    this(tokens, logProbs, samplingLogProbs, stopped, repeated(weightVersion, tokens.length));
  }

  /** Whether all log-probs are finite; otherwise the weights are unusable. */
  public boolean finite() {
    return Arrays.stream(logProbs).allMatch(Double::isFinite);
  }

  private static long[] repeated(long version, int count) {
    long[] versions = new long[count];
    Arrays.fill(versions, version);
    return versions;
  }
}

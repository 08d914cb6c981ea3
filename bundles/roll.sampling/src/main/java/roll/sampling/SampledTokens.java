package roll.sampling;

import java.util.Arrays;
import java.util.Objects;
import roll.api.strategy.Generation;

/** The tokens of a response, each with its log-probs and the version of the weights. */
final class SampledTokens {
  private int[] tokens;
  private double[] logProbs = new double[8];
  private double[] samplingLogProbs = new double[8];
  private long[] versions = new long[8];
  private int size;

  /** Creates an empty list. */
  SampledTokens() {
    this(new int[8], 0);
  }

  private SampledTokens(int[] tokens, int size) {
    this.tokens = tokens;
    this.size = size;
  }

  /** Adds a token. */
  void add(int token, double logProb, double samplingLogProb, long version) {
    if (size == tokens.length) {
      tokens = Arrays.copyOf(tokens, 2 * size);
      logProbs = Arrays.copyOf(logProbs, 2 * size);
      samplingLogProbs = Arrays.copyOf(samplingLogProbs, 2 * size);
      versions = Arrays.copyOf(versions, 2 * size);
    }
    tokens[size] = token;
    logProbs[size] = logProb;
    samplingLogProbs[size] = samplingLogProb;
    versions[size] = version;
    size++;
  }

  int size() {
    return size;
  }

  /** Returns the last token; there must be one. */
  int last() {
    return tokens[size - 1];
  }

  /** Returns these tokens and {@code more}, without log-probs. */
  SampledTokens followedBy(int[] more) {
    int[] all = Arrays.copyOf(tokens, size + more.length);
    System.arraycopy(more, 0, all, size, more.length);
    return new SampledTokens(all, all.length);
  }

  /**
   * Returns {@code prompt} and the first {@code count} tokens.
   *
   * @throws IndexOutOfBoundsException if there are fewer
   */
  int[] behind(int[] prompt, int count) {
    Objects.checkFromToIndex(0, count, size);
    int[] all = Arrays.copyOf(prompt, prompt.length + count);
    System.arraycopy(tokens, 0, all, prompt.length, count);
    return all;
  }

  /** Returns a copy as a response. */
  Generation generation(boolean stopped) {
    return new Generation(
        Arrays.copyOf(tokens, size),
        Arrays.copyOf(logProbs, size),
        Arrays.copyOf(samplingLogProbs, size),
        stopped,
        Arrays.copyOf(versions, size));
  }
}

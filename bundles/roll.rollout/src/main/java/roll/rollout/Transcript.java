package roll.rollout;

import java.util.Arrays;
import roll.api.strategy.Generation;

/** The tokens of an episode as they come in: never tokenised again, never changed. */
final class Transcript {
  private int[] tokens = new int[256];
  private int[] turns = new int[256];
  private double[] logProbs = new double[256];
  private int length;
  private int written;

  /** Appends text the policy did not write. */
  void append(int[] text) {
    append(text, new double[text.length], -1);
  }

  /** Appends what the policy wrote in {@code turn}. */
  void append(Generation response, int turn) {
    append(response.tokens(), response.logProbs(), turn);
    written += response.tokens().length;
  }

  private void append(int[] more, double[] moreLogProbs, int turn) {
    if (more.length != moreLogProbs.length) {
      throw new IllegalArgumentException(
          more.length + " tokens came with " + moreLogProbs.length + " log-probs");
    }
    int needed = length + more.length;
    if (needed > tokens.length) {
      int capacity = Math.max(needed, 2 * tokens.length);
      tokens = Arrays.copyOf(tokens, capacity);
      turns = Arrays.copyOf(turns, capacity);
      logProbs = Arrays.copyOf(logProbs, capacity);
    }
    System.arraycopy(more, 0, tokens, length, more.length);
    System.arraycopy(moreLogProbs, 0, logProbs, length, more.length);
    Arrays.fill(turns, length, needed, turn);
    length = needed;
  }

  /** Number of tokens. */
  int length() {
    return length;
  }

  /** Number of tokens the policy wrote. */
  int written() {
    return written;
  }

  /** Every token so far. */
  int[] tokens() {
    return Arrays.copyOf(tokens, length);
  }

  /** Turn of each token, −1 where the policy did not write it. */
  int[] turns() {
    return Arrays.copyOf(turns, length);
  }

  /** Behaviour log-prob of each token, 0 where the policy did not write it. */
  double[] logProbs() {
    return Arrays.copyOf(logProbs, length);
  }
}

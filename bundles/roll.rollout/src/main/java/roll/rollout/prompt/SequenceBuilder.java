package roll.rollout.prompt;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import roll.api.data.Sequence;
import roll.api.image.Picture;
import roll.api.strategy.Generation;

/** Collects the tokens of an episode; they are never re-tokenized. */
final class SequenceBuilder {
  private int[] tokens = new int[256];
  private int[] turns = new int[256];
  private double[] logProbs = new double[256];
  private long[] versions = new long[256];
  private final List<Picture> pictures = new ArrayList<>();
  private int length;

  /** Appends tokens that the policy did not sample, and their pictures. */
  void append(int[] text, List<Picture> shown) {
    pictures.addAll(shown);
    long[] none = new long[text.length];
    Arrays.fill(none, -1);
    append(text, new double[text.length], -1, none);
  }

  /** Appends the response of {@code turn}. */
  void append(Generation response, int turn) {
    append(response.tokens(), response.logProbs(), turn, response.weightVersions());
  }

  private void append(int[] more, double[] moreLogProbs, int turn, long[] moreVersions) {
    int needed = length + more.length;
    if (needed > tokens.length) {
      int capacity = Math.max(needed, 2 * tokens.length);
      tokens = Arrays.copyOf(tokens, capacity);
      turns = Arrays.copyOf(turns, capacity);
      logProbs = Arrays.copyOf(logProbs, capacity);
      versions = Arrays.copyOf(versions, capacity);
    }
    System.arraycopy(more, 0, tokens, length, more.length);
    System.arraycopy(moreLogProbs, 0, logProbs, length, more.length);
    System.arraycopy(moreVersions, 0, versions, length, more.length);
    Arrays.fill(turns, length, needed, turn);
    length = needed;
  }

  /** Returns the number of tokens of the sequence. */
  int length() {
    return length;
  }

  /** Returns all tokens of the built sequence. */
  int[] tokens() {
    return Arrays.copyOf(tokens, length);
  }

  /** Returns all pictures of the built sequence. */
  List<Picture> pictures() {
    return List.copyOf(pictures);
  }

  /** Returns the built sequence. */
  Sequence sequence() {
    return new Sequence(
        tokens(),
        Arrays.copyOf(turns, length),
        Arrays.copyOf(logProbs, length),
        Arrays.copyOf(versions, length),
        pictures);
  }
}

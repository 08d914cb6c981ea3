package roll.api.strategy;

import java.util.Arrays;
import java.util.List;
import roll.api.data.Batch;
import roll.api.image.Picture;

/**
 * A jagged batch of samples for a model.
 *
 * @param offsets first token of each sample and, last, the number of tokens
 * @param tokens all token ids
 * @param scored tokens to compute log-prob and entropy, or the value, for; never the first of a
 *     sample
 * @param pictures pictures of each sample in the order of their image tokens; empty if no sample
 *     has any
 */
public record TokenBatch(
    int[] offsets, int[] tokens, boolean[] scored, List<List<Picture>> pictures) {
  /**
   * Checks the number of picture lists.
   *
   * @throws IllegalArgumentException if the arrays do not fit each other, samples overlap, or there
   *     are pictures of more or fewer samples
   */
  public TokenBatch {
    if (offsets.length == 0
        || offsets[0] != 0
        || offsets[offsets.length - 1] != tokens.length
        || scored.length != tokens.length) {
      throw new IllegalArgumentException("the parts of a batch do not fit each other");
    }
    for (int i = 1; i < offsets.length; i++) {
      if (offsets[i] < offsets[i - 1]) {
        throw new IllegalArgumentException("the samples of a batch overlap");
      }
    }
    if (!pictures.isEmpty() && pictures.size() != offsets.length - 1) {
      throw new IllegalArgumentException(
          "pictures for %d samples, expected %d".formatted(pictures.size(), offsets.length - 1));
    }
    pictures =
        pictures.stream().allMatch(List::isEmpty)
            ? List.of()
            : pictures.stream().map(List::copyOf).toList();
  }

  /** Creates a batch of samples of text alone. */
  public TokenBatch(int[] offsets, int[] tokens, boolean[] scored) {
    this(offsets, tokens, scored, List.of());
  }

  /** The tokens of {@code batch}, with the policy tokens scored. */
  public static TokenBatch ofPolicy(Batch batch) {
    List<List<Picture>> pictures = batch.columnOrNull(Batch.PICTURES);
    return new TokenBatch(
        batch.layout().offsets(),
        batch.tokens(),
        batch.layout().mask(),
        pictures == null ? List.of() : pictures);
  }

  /** Returns the pictures of sample {@code number}. */
  public List<Picture> pictures(int number) {
    return pictures.isEmpty() ? List.of() : pictures.get(number);
  }

  /** The samples {@code chosen}, in that order. */
  public TokenBatch select(int[] chosen) {
    int[] starts = new int[chosen.length + 1];
    for (int i = 0; i < chosen.length; i++) {
      starts[i + 1] = starts[i] + offsets[chosen[i] + 1] - offsets[chosen[i]];
    }
    int[] some = new int[starts[chosen.length]];
    boolean[] flags = new boolean[some.length];
    for (int i = 0; i < chosen.length; i++) {
      int length = starts[i + 1] - starts[i];
      System.arraycopy(tokens, offsets[chosen[i]], some, starts[i], length);
      System.arraycopy(scored, offsets[chosen[i]], flags, starts[i], length);
    }
    return new TokenBatch(
        starts, some, flags, Arrays.stream(chosen).mapToObj(this::pictures).toList());
  }

  /** Number of samples of the token batch. */
  public int samples() {
    return offsets.length - 1;
  }
}

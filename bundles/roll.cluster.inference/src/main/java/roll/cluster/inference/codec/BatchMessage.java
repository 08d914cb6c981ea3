package roll.cluster.inference.codec;

import java.util.List;
import roll.api.image.Picture;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;

/** Samples to score, with their pictures by number. */
public record BatchMessage(int[] offsets, int[] tokens, boolean[] scored, List<int[]> pictures) {
  /**
   * A message whose parts fit each other.
   *
   * @throws IllegalArgumentException if they do not
   */
  public BatchMessage {
    if (offsets.length == 0
        || offsets[0] != 0
        || offsets[offsets.length - 1] != tokens.length
        || scored.length != tokens.length
        || (!pictures.isEmpty() && pictures.size() != offsets.length - 1)) {
      throw new IllegalArgumentException("the parts of a batch do not fit each other");
    }
    for (int i = 1; i < offsets.length; i++) {
      if (offsets[i] < offsets[i - 1]) {
        throw new IllegalArgumentException("the samples of a batch overlap");
      }
    }
  }

  /**
   * That of {@code batch}.
   *
   * @param pictures all that it shows
   */
  public static BatchMessage of(TokenBatch batch, CallPictures pictures) {
    return new BatchMessage(
        batch.offsets(),
        batch.tokens(),
        batch.scored(),
        batch.pictures().stream().map(pictures::numbers).toList());
  }

  /**
   * The batch.
   *
   * @param shown all pictures that came, in their order
   */
  public TokenBatch batch(List<Picture> shown) {
    return new TokenBatch(
        offsets,
        tokens,
        scored,
        pictures.stream().map(numbers -> CallPictures.numbered(numbers, shown)).toList());
  }

  /**
   * {@code scores} of a batch.
   *
   * @throws IllegalArgumentException if their columns are not of the same tokens
   */
  public static Scores checked(Scores scores) {
    int tokens = scores.logProbs().length;
    int squares = scores.sumPiSquared().length;
    if (scores.entropies().length != tokens || (squares != 0 && squares != tokens)) {
      throw new IllegalArgumentException("scores are not of the same tokens");
    }
    return scores;
  }
}

package roll.cluster.inference.codec;

import java.util.List;
import roll.api.image.Picture;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.cluster.services.codec.MalformedMessageException;

/** What is scored, and its scores. */
public final class ScoreCodec {
  private ScoreCodec() {}

  /** Samples to score, and what they show. */
  public static void write(ByteWriter out, TokenBatch batch) {
    CallPictures pictures = CallPictures.of(batch);
    CallPictures.writePart(out, pictures.all());
    write(out, batch, pictures);
  }

  /**
   * Samples to score.
   *
   * @param pictures all that they show, of which the numbers are written
   */
  public static void write(ByteWriter out, TokenBatch batch, CallPictures pictures) {
    out.ints(batch.offsets()).ints(batch.tokens()).bools(batch.scored());
    out.list(batch.pictures(), pictures::write);
  }

  /** As {@link #write(ByteWriter, TokenBatch)} wrote them. */
  public static TokenBatch batch(ByteReader in) {
    return batch(in, CallPictures.readPart(in));
  }

  /**
   * As {@link #write(ByteWriter, TokenBatch, CallPictures)} wrote them.
   *
   * @param shown all that they show, in their order
   */
  public static TokenBatch batch(ByteReader in, List<Picture> shown) {
    int[] offsets = in.ints();
    int[] tokens = in.ints();
    boolean[] scored = in.bools();
    List<List<Picture>> pictures = in.list(from -> CallPictures.read(from, shown));
    if (offsets.length == 0
        || offsets[0] != 0
        || offsets[offsets.length - 1] != tokens.length
        || scored.length != tokens.length
        || (!pictures.isEmpty() && pictures.size() != offsets.length - 1)) {
      throw new MalformedMessageException("the parts of a batch do not fit each other");
    }
    for (int i = 1; i < offsets.length; i++) {
      if (offsets[i] < offsets[i - 1]) {
        throw new MalformedMessageException("the samples of a batch overlap");
      }
    }
    return new TokenBatch(offsets, tokens, scored, pictures);
  }

  /** The scores of a batch. */
  public static void write(ByteWriter out, Scores scores) {
    out.doubles(scores.logProbs()).doubles(scores.entropies()).doubles(scores.sumPiSquared());
  }

  /** As {@link #write(ByteWriter, Scores)} wrote them. */
  public static Scores scores(ByteReader in) {
    double[] logProbs = in.doubles();
    double[] entropies = in.doubles();
    double[] squares = in.doubles();
    boolean none = squares.length == 0;
    if (entropies.length != logProbs.length || (!none && squares.length != logProbs.length)) {
      throw new MalformedMessageException("scores are not of the same tokens");
    }
    return new Scores(logProbs, entropies, squares);
  }
}

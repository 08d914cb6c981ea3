package roll.decoder;

import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.VisionSpec;

/**
 * Estimates the bytes of activations: tensors between operations are counted, temporaries within
 * one are not. The formulas are in the README of roll.shell.
 *
 * @param spec the model
 * @param dtype of the computation
 * @param card whether it is computed by the kernels for cards
 */
public record ActivationEstimate(DecoderSpec spec, Dtype dtype, boolean card) {
  /** Minimum rows of a chunk of the token head on cards. */
  public static final int CARD_HEAD_ROWS = 2048;

  private static final int F32 = 4;
  private static final int BF16 = 2;

  /** Logits of a chunk of the head. */
  private static final long HEAD_LOGITS = 1 << 24;

  /** Maximum log-probs that the head keeps for its backward pass. */
  private static final long HEAD_KEPT = 1 << 25;

  /** An estimate for processors. */
  public ActivationEstimate(DecoderSpec spec, Dtype dtype) {
    this(spec, dtype, false);
  }

  /** Returns the bytes of all activations of a layer for {@code tokens} tokens. */
  public long layer(long tokens) {
    var attention = spec.attention();
    var experts = spec.experts();
    long chosen = experts == null ? 1 : experts.chosen();
    long wide = 6L * spec.hidden() + (experts == null ? 0 : chosen * spec.hidden());
    wide += spec.has(DecoderSpec.Trait.GELU) ? 3 * chosen * spec.intermediate() : 0;
    long narrow =
        (experts == null ? 2L : 1 + 3 * chosen) * spec.hidden()
            + 4L * attention.queries()
            + 4L * chosen * spec.intermediate();
    long rows = tokens * (F32 * wide + (dtype == Dtype.BF16 ? BF16 : F32) * narrow);
    return card && experts != null ? rows + padded(tokens * chosen, experts.count()) : rows;
  }

  /** Returns the bytes of the padded rows of grouped products of {@code rows} rows. */
  private long padded(long rows, int experts) {
    long padding = 8L * experts;
    long numbers = (rows + padding) * spec.hidden() + padding * 4 * spec.intermediate();
    return (dtype == Dtype.BF16 ? BF16 : F32) * numbers;
  }

  /** Returns the bytes of the residual stream of {@code tokens} tokens, the input of a layer. */
  public long stream(long tokens) {
    return F32 * tokens * spec.hidden();
  }

  /** Returns the bytes that the head needs for {@code tokens} tokens. */
  public long head(long tokens, boolean trained) {
    long logits = tokens * spec.vocabulary();
    long kept = trained && logits <= HEAD_KEPT ? logits : 0;
    if (spec.has(DecoderSpec.Trait.VALUE_HEAD)) {
      return 0;
    }
    if (card) {
      long chunk = Math.max(HEAD_LOGITS, (long) CARD_HEAD_ROWS * spec.vocabulary());
      return (2 * F32 + BF16) * Math.min(logits, chunk) + F32 * kept;
    }
    return F32 * (3 * Math.min(logits, HEAD_LOGITS) + kept);
  }

  /**
   * Returns the peak of a forward pass of {@code tokens} tokens without backward pass. With vision
   * all of them may be image placeholders.
   */
  public long scoring(long tokens) {
    long text = Math.max(layer(tokens), stream(tokens) + head(tokens, false));
    VisionActivationEstimate tower = tower();
    return tower == null ? text : tower.patches(tokens) + Math.max(text, tower.layer(tokens));
  }

  private @Nullable VisionActivationEstimate tower() {
    VisionSpec vision = spec.vision();
    return vision == null ? null : new VisionActivationEstimate(vision, dtype);
  }

  /**
   * Returns the peak of a forward and backward pass of {@code tokens} tokens, including a vision
   * tower.
   *
   * @param checkpointing whether only the input of each layer is kept, and layers are recomputed
   */
  public long training(long tokens, boolean checkpointing) {
    return training(tokens, checkpointing, true);
  }

  /**
   * Returns the estimated bytes of activations in training.
   *
   * @param whole whether the vision tower is trained
   */
  public long training(long tokens, boolean checkpointing, boolean whole) {
    return tower(tokens, checkpointing, whole) + decoder(tokens, checkpointing);
  }

  /**
   * Returns the peak of the vision tower alone, with {@code whole} including its backward pass; 0
   * without one.
   */
  public long tower(long tokens, boolean checkpointing, boolean whole) {
    VisionActivationEstimate tower = tower();
    return tower == null
        ? 0
        : tower.patches(tokens)
            + (whole ? tower.training(tokens, checkpointing) : tower.layer(tokens));
  }

  private long decoder(long tokens, boolean checkpointing) {
    long kept =
        checkpointing
            ? spec.layers() * stream(tokens) + layer(tokens)
            : spec.layers() * layer(tokens);
    return kept + 2 * stream(tokens) + head(tokens, true);
  }
}

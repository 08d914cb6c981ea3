package roll.decoder;

import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.VisionSpec;

/**
 * Bytes that tokens take while they are computed, an estimate: what passes between operations is
 * counted, what is inside one is not. The formulas are in the README of roll.shell.
 *
 * @param spec the model
 * @param dtype what it computes in
 */
public record ActivationNeed(DecoderSpec spec, Dtype dtype) {
  private static final int F32 = 4;
  private static final int BF16 = 2;

  /** Logits that the head works on at once. */
  private static final long HEAD_LOGITS = 1 << 24;

  /** Log-probs that the head may keep for its backward pass. */
  private static final long HEAD_KEPT = 1 << 25;

  /** What a layer makes of {@code tokens} tokens, all of it there at once. */
  public long layer(long tokens) {
    var attention = spec.attention();
    var experts = spec.experts();
    long chosen = experts == null ? 1 : experts.chosen();
    long wide = 6L * spec.hidden() + (experts == null ? 0 : chosen * spec.hidden());
    long narrow =
        (experts == null ? 2L : 1 + 3 * chosen) * spec.hidden()
            + 4L * attention.queries()
            + 4L * chosen * spec.intermediate();
    return tokens * (F32 * wide + (dtype == Dtype.BF16 ? BF16 : F32) * narrow);
  }

  /** The residual stream of {@code tokens} tokens: what goes into a layer. */
  public long stream(long tokens) {
    return F32 * tokens * spec.hidden();
  }

  /** What the head works on at once, of so many tokens. */
  public long head(long tokens, boolean trained) {
    long logits = tokens * spec.vocabulary();
    long kept = trained && logits <= HEAD_KEPT ? logits : 0;
    return spec.has(DecoderSpec.Trait.VALUE_HEAD)
        ? 0
        : F32 * (3 * Math.min(logits, HEAD_LOGITS) + kept);
  }

  /**
   * At most, while {@code tokens} tokens go through the model without a backward pass. Where it
   * sees, all of them may be those of pictures.
   */
  public long scoring(long tokens) {
    long text = Math.max(layer(tokens), stream(tokens) + head(tokens, false));
    VisionNeed tower = tower();
    return tower == null ? text : tower.patches(tokens) + Math.max(text, tower.layer(tokens));
  }

  private @Nullable VisionNeed tower() {
    VisionSpec vision = spec.vision();
    return vision == null ? null : new VisionNeed(vision, dtype);
  }

  /**
   * At most, while {@code tokens} tokens go through the model and back, its vision tower included
   * if it has one.
   *
   * @param checkpointing whether only the input of each layer is kept, and layers are run again
   */
  public long training(long tokens, boolean checkpointing) {
    return training(tokens, checkpointing, true);
  }

  /**
   * As above.
   *
   * @param whole whether the vision tower is trained too
   */
  public long training(long tokens, boolean checkpointing, boolean whole) {
    return tower(tokens, checkpointing, whole) + decoder(tokens, checkpointing);
  }

  /**
   * At most, of the vision tower alone, while it looks and, where {@code whole}, until its way back
   * ends; 0 without one.
   */
  public long tower(long tokens, boolean checkpointing, boolean whole) {
    VisionNeed tower = tower();
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

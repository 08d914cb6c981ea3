package roll.decoder;

import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.VisionSpec;
import roll.api.model.VisionSpec.DeepStack;

/**
 * An upper bound of a vision tower's activations in bytes: as if every token were a square of
 * patches, since the number of pictures in a micro-batch is not known.
 *
 * @param vision the tower
 * @param dtype of the computation
 */
record VisionActivationEstimate(VisionSpec vision, Dtype dtype) {
  private static final int F32 = 4;
  private static final int BF16 = 2;

  private long count(long tokens) {
    return tokens * vision.merge() * vision.merge();
  }

  /** Returns the bytes of the patches of {@code tokens} squares. */
  long patches(long tokens) {
    return F32 * count(tokens) * vision.patchSize();
  }

  /** Returns the bytes of all activations of a layer for them. */
  long layer(long tokens) {
    boolean gated = vision.deepStack() == null;
    long wide = 6L * vision.hidden() + (gated ? 0 : 4L * vision.intermediate());
    long narrow = 6L * vision.hidden() + (gated ? 4L : 2L) * vision.intermediate();
    return count(tokens) * (F32 * wide + (dtype == Dtype.BF16 ? BF16 : F32) * narrow);
  }

  /**
   * Returns the bytes of the vision tower for the backward pass, and of one layer.
   *
   * @param checkpointing whether only the input of each layer is kept, and layers are recomputed
   */
  long training(long tokens, boolean checkpointing) {
    return checkpointing
        ? (vision.layers() + kept()) * stream(tokens) + layer(tokens)
        : vision.layers() * layer(tokens) + kept() * stream(tokens);
  }

  private long stream(long tokens) {
    return F32 * count(tokens) * vision.hidden();
  }

  /** Layers that pass on the output of a layer below for one of DeepStack's mergers. */
  private long kept() {
    DeepStack deep = vision.deepStack();
    return deep == null
        ? 0
        : deep.layers().stream().mapToLong(layer -> vision.layers() - 1 - layer).sum();
  }
}

package roll.decoder;

import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.VisionSpec;

/**
 * Bytes that a vision tower takes while it looks, an upper bound: as if every token computed at
 * once were a square of patches, for how many pictures a micro-batch shows is not known before.
 *
 * @param vision the tower
 * @param dtype what it computes in
 */
record VisionNeed(VisionSpec vision, Dtype dtype) {
  private static final int F32 = 4;
  private static final int BF16 = 2;

  private long count(long tokens) {
    return tokens * vision.merge() * vision.merge();
  }

  /** The patches of {@code tokens} squares. */
  long patches(long tokens) {
    return F32 * count(tokens) * vision.patchSize();
  }

  /** What a layer makes of them, all of it there at once. */
  long layer(long tokens) {
    long wide = 6L * vision.hidden();
    long narrow = 6L * vision.hidden() + 4L * vision.intermediate();
    return count(tokens) * (F32 * wide + (dtype == Dtype.BF16 ? BF16 : F32) * narrow);
  }

  /**
   * What is kept for the way back, and a layer.
   *
   * @param checkpointing whether only the input of each layer is kept, and layers are run again
   */
  long training(long tokens, boolean checkpointing) {
    return checkpointing
        ? (long) F32 * vision.layers() * count(tokens) * vision.hidden() + layer(tokens)
        : vision.layers() * layer(tokens);
  }
}

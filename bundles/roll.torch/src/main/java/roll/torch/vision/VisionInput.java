package roll.torch.vision;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import roll.api.model.VisionSpec;
import roll.api.strategy.TokenBatch;
import roll.torch.MicroBatch;

/**
 * The pictures of a micro-batch as the kernels read them.
 *
 * @param positions int64 [3, B·T], positions of every token in time, height and width
 * @param places int64 [M], indices of the image placeholders in the flattened [B·T]
 * @param pictures input of the vision tower, with features in the order of the placeholders
 */
public record VisionInput(NDArray positions, NDArray places, TowerInput pictures) {
  /**
   * Returns the vision input of the samples {@code part} of {@code batch}, with at least one
   * picture.
   *
   * @param owner owns the tensors
   * @throws roll.api.option.UserException if placeholders and pictures of a sample do not match, or
   *     a picture cannot be read
   */
  public static VisionInput of(
      NDManager owner,
      TokenBatch batch,
      MicroBatch part,
      VisionSpec vision,
      PicturePatches patches) {
    return PicturePlaceholders.of(batch, part, vision, patches).tensors(owner, vision);
  }
}

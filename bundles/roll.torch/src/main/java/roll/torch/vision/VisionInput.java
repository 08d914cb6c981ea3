package roll.torch.vision;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import roll.api.model.VisionSpec;
import roll.api.strategy.TokenBatch;
import roll.torch.MicroBatch;

/**
 * What a micro-batch shows, as the kernels take it.
 *
 * @param positions int64 [3, B·T], of every token in time, height and width
 * @param places int64 [M], where features of pictures stand, as indices into the flattened [B·T]
 * @param pictures what the features are made of, in the order of the places
 */
public record VisionInput(NDArray positions, NDArray places, TowerInput pictures) {
  /**
   * What {@code part} of {@code batch} shows; at least one of its samples has pictures.
   *
   * @param owner owns the tensors
   * @throws roll.api.option.UserException if a sample has not as many places as its pictures need,
   *     or a picture cannot be read
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

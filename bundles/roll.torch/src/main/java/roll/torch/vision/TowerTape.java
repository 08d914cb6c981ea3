package roll.torch.vision;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import roll.torch.Device;
import roll.torch.Kernels;

/**
 * A forward pass of a vision tower that can be run backward (see {@code vision_backward.py}): it
 * keeps all that happened in the layers, or the input of each alone. Used on the compute thread
 * alone.
 */
public final class TowerTape {
  private final Kernels kernels;
  private final NDList weights;
  private final TowerInput pictures;
  private final NDArray again;
  private final NDList kept;

  TowerTape(
      NDManager owner,
      Kernels kernels,
      NDList weights,
      TowerInput pictures,
      boolean checkpointing) {
    this.kernels = kernels;
    this.weights = weights;
    this.pictures = pictures;
    this.again = Device.host(owner).create(checkpointing ? 1 : 0);
    this.kept =
        kernels.record(
            owner,
            "forward_tower",
            pictures.patches(),
            pictures.squares(),
            pictures.back(),
            pictures.windows(),
            pictures.wholes(),
            pictures.cos(),
            pictures.sin(),
            weights,
            again);
  }

  /** The features, f32 [M, width of the decoder]. */
  public NDArray features() {
    return kept.head();
  }

  /**
   * Runs backward, once.
   *
   * @param owner owns what is left over
   * @param byFeatures derivatives of the loss by {@link #features}
   * @param gradients of what is trained of the tower, in its order, to which they are added; at
   *     least one
   */
  public void backward(NDManager owner, NDArray byFeatures, NDList gradients) {
    kernels.record(
        owner,
        "backward_tower",
        byFeatures,
        pictures.squares(),
        pictures.back(),
        pictures.windows(),
        pictures.wholes(),
        pictures.cos(),
        pictures.sin(),
        kept,
        weights,
        again,
        gradients);
  }
}

package roll.torch.vision;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.List;
import roll.torch.Device;
import roll.torch.Kernels;

/**
 * A recorded forward pass of a vision tower that can be run backward (see {@code
 * vision_backward.py}): it keeps the autograd graph of the layers, or only the input of each layer.
 * Used only on the compute thread.
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
            pictures.arguments(List.of(pictures.patches()), weights, again));
  }

  /** Returns the features, f32 [M, vectors · hidden size of the decoder]. */
  public NDArray features() {
    return kept.head();
  }

  /**
   * Runs the recorded forward pass backward, once.
   *
   * @param owner owns intermediate tensors
   * @param byFeatures derivatives of the loss with respect to {@link #features}
   * @param gradients receives those of the tower's trained parameters, in their order; at least one
   */
  public void backward(NDManager owner, NDArray byFeatures, NDList gradients) {
    kernels.record(
        owner,
        "backward_tower",
        pictures.arguments(List.of(byFeatures), kept, weights, again, gradients));
  }
}

package roll.torch.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import org.jspecify.annotations.Nullable;
import roll.api.model.Adapter;
import roll.torch.Device;
import roll.torch.model.Decoder;
import roll.torch.model.DecoderInput;
import roll.torch.model.ModelInput;
import roll.torch.model.Parameters;
import roll.torch.vision.TowerTape;
import roll.torch.vision.VisionInput;
import roll.torch.vision.VisionTower;

/**
 * A recorded forward pass of a decoder's layers, and of the vision tower before it, that can be run
 * backward (see {@code backward.py}). Between the two it keeps the autograd graph of the layers, or
 * only the input of each layer, which is then recomputed: the gradients are the same bit for bit.
 * Used only on the compute thread.
 */
final class DecoderTape {
  private final Decoder decoder;
  private final Parameters parameters;
  private final ParameterGradients gradients;
  private final @Nullable TowerTape tower;
  private final NDList byTower;
  private final DecoderInput input;
  private final NDArray again;
  private final NDArray deep;
  private final NDArray seed;
  private final NDList kept;

  /**
   * Runs the decoder layers forward and records them.
   *
   * @param owner owns the kept tensors
   * @param gradients receives those of layers, embedding and tower
   * @param given tokens and pictures
   * @param checkpointing whether layers are recomputed for the backward pass
   * @param seed of the adapters' dropout
   */
  DecoderTape(
      NDManager owner,
      Decoder decoder,
      Parameters parameters,
      ParameterGradients gradients,
      ModelInput given,
      boolean checkpointing,
      long seed) {
    this.decoder = decoder;
    this.parameters = parameters;
    this.gradients = gradients;
    NDManager host = Device.host(owner);
    this.again = host.create(checkpointing ? 1 : 0);
    Adapter adapter = decoder.spec().adapter();
    // the kernel adds the layer's offset; negative means no dropout
    this.seed = host.create(adapter == null || adapter.dropout() == 0 ? -1 : seed >>> 16);
    VisionInput seen = given.seen();
    this.byTower = new NDList();
    if (seen == null) {
      this.tower = null;
    } else {
      NDList weights = VisionTower.weights(decoder.spec(), parameters.tensors());
      weights.forEach(weight -> byTower.addAll(gradients.of(weight)));
      this.tower = decoder.tower().record(owner, weights, seen.pictures(), checkpointing);
    }
    this.input = decoder.layers(owner, given, tower == null ? null : tower.features());
    this.deep = host.create(byTower.isEmpty() ? 0 : 1);
    this.kept =
        decoder
            .kernels()
            .record(
                owner,
                "forward_pieces",
                input.tokens(),
                input.rows(),
                input.segments(),
                input.places(),
                input.features(),
                parameters.layered(),
                input.cos(),
                input.sin(),
                again,
                deep,
                this.seed);
  }

  /** Returns the hidden states after the last norm, f32 [N, hidden]. */
  NDArray hidden() {
    return kept.head();
  }

  /**
   * Runs the recorded forward pass backward, once.
   *
   * @param owner owns intermediate tensors
   * @param byHidden derivatives of the loss with respect to {@link #hidden}
   */
  void backward(NDManager owner, NDArray byHidden) {
    NDArray byFeatures =
        decoder
            .kernels()
            .record(
                owner,
                "backward_pieces",
                byHidden,
                input.tokens(),
                input.rows(),
                input.segments(),
                input.places(),
                kept,
                parameters.layered(),
                input.cos(),
                input.sin(),
                again,
                deep,
                seed,
                gradients.tensors())
            .singletonOrThrow();
    if (tower != null && !byTower.isEmpty()) {
      tower.backward(owner, byFeatures, byTower);
    }
  }
}

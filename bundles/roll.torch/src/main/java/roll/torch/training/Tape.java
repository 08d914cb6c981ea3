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
 * A forward pass of a decoder's layers that can be run backward (see {@code backward.py}), and of
 * the vision tower before it. Between the two it keeps all that happened in the layers, or the
 * input of each alone, from which the layer is run again: the gradients are the same bit for bit.
 * Used on the compute thread alone.
 */
final class Tape {
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
   * Runs forward.
   *
   * @param owner owns what is kept
   * @param gradients to which those of layers, embedding and tower will be added
   * @param given the tokens, and what the model sees of them
   * @param checkpointing whether layers are run again for the backward pass
   * @param seed decides what the dropout of adapters drops
   */
  Tape(
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
    // the kernel counts on from it, and takes a negative one for none
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
                input.bounds(),
                input.places(),
                input.features(),
                parameters.tensors(),
                input.cos(),
                input.sin(),
                again,
                deep,
                this.seed);
  }

  /** Hidden states after the last norm, f32 [N, hidden]. */
  NDArray hidden() {
    return kept.head();
  }

  /**
   * Runs backward, once.
   *
   * @param owner owns what is left over
   * @param byHidden derivatives of the loss by {@link #hidden}
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
                input.bounds(),
                input.places(),
                kept,
                parameters.tensors(),
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

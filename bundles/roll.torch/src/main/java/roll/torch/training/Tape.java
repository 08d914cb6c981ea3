package roll.torch.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import roll.api.model.Adapter;
import roll.torch.Device;
import roll.torch.TokenTensors;
import roll.torch.model.Decoder;
import roll.torch.model.Parameters;
import roll.torch.model.RotaryTable;

/**
 * A forward pass of a decoder's layers that can be run backward (see {@code backward.py}). Between
 * the two it keeps all that happened in the layers, or the input of each alone, from which the
 * layer is run again: the gradients are the same bit for bit. Used on the compute thread alone.
 */
final class Tape {
  private final Decoder decoder;
  private final Parameters parameters;
  private final TokenTensors input;
  private final NDArray cos;
  private final NDArray sin;
  private final NDArray again;
  private final NDArray seed;
  private final NDList kept;

  /**
   * Runs forward.
   *
   * @param owner owns what is kept
   * @param input the tokens
   * @param checkpointing whether layers are run again for the backward pass
   * @param seed decides what the dropout of adapters drops
   */
  Tape(
      NDManager owner,
      Decoder decoder,
      Parameters parameters,
      TokenTensors input,
      boolean checkpointing,
      long seed) {
    this.decoder = decoder;
    this.parameters = parameters;
    this.input = input;
    NDManager host = Device.host(owner);
    this.again = host.create(checkpointing ? 1 : 0);
    Adapter adapter = decoder.spec().adapter();
    // the kernel counts on from it, and takes a negative one for none
    this.seed = host.create(adapter == null || adapter.dropout() == 0 ? -1 : seed >>> 16);
    RotaryTable angles = decoder.angles(input.longest());
    this.cos = angles.cos();
    this.sin = angles.sin();
    this.kept =
        decoder
            .kernels()
            .record(
                owner,
                "forward_pieces",
                input.tokens(),
                input.rows(),
                input.bounds(),
                parameters.tensors(),
                cos,
                sin,
                again,
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
   * @param gradients to which those of the layers and the embedding are added
   */
  void backward(NDManager owner, NDArray byHidden, ParameterGradients gradients) {
    decoder
        .kernels()
        .record(
            owner,
            "backward_pieces",
            byHidden,
            input.tokens(),
            input.rows(),
            input.bounds(),
            kept,
            parameters.tensors(),
            cos,
            sin,
            again,
            seed,
            gradients.tensors());
  }
}

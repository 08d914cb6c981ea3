package roll.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import roll.api.model.Adapter;

/**
 * A forward pass of a decoder's layers that can be run backward (see {@code backward.py}). Between
 * the two it keeps all that happened in the layers, or the input of each alone, from which the
 * layer is run again: the gradients are the same to the last bit. Used on the compute thread alone.
 */
final class Tape {
  private final Decoder decoder;
  private final Parameters parameters;
  private final NDArray tokens;
  private final NDArray rows;
  private final NDArray cos;
  private final NDArray sin;
  private final NDArray again;
  private final NDArray seed;
  private final NDList kept;

  /**
   * Runs forward.
   *
   * @param owner owns what is kept
   * @param tokens int64 [B, T], right-padded
   * @param rows int64 [N], positions as indices into the flattened [B·T]
   * @param checkpointing whether layers are run again for the backward pass
   * @param seed decides what the dropout of adapters drops
   */
  Tape(
      NDManager owner,
      Decoder decoder,
      Parameters parameters,
      NDArray tokens,
      NDArray rows,
      boolean checkpointing,
      long seed) {
    this.decoder = decoder;
    this.parameters = parameters;
    this.tokens = tokens;
    this.rows = rows;
    this.again = owner.create(checkpointing ? 1 : 0);
    Adapter adapter = decoder.spec().adapter();
    // the kernel counts on from it, and takes a negative one for none
    this.seed = owner.create(adapter == null || adapter.dropout() == 0 ? -1 : seed >>> 16);
    RotaryTable angles = decoder.angles(tokens);
    this.cos = angles.cos();
    this.sin = angles.sin();
    this.kept =
        decoder
            .kernels()
            .record(
                owner,
                "forward_pieces",
                tokens,
                rows,
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
  void backward(NDManager owner, NDArray byHidden, Gradients gradients) {
    decoder
        .kernels()
        .record(
            owner,
            "backward_pieces",
            byHidden,
            tokens,
            rows,
            kept,
            parameters.tensors(),
            cos,
            sin,
            again,
            seed,
            gradients.tensors());
  }
}

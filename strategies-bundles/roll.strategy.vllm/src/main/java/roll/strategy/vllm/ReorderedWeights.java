package roll.strategy.vllm;

import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import roll.api.memory.StateKind;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.Ledger;
import roll.torch.model.GenerationWeights;

/**
 * The weights of an engine with those of linear layers in oneDNN's own order ({@code
 * reordered.py}): copies, made anew by the first step after the weights have changed. Used on the
 * compute thread alone.
 */
final class ReorderedWeights implements AutoCloseable {
  private final Device device;
  private final Kernels kernels;
  private final GenerationWeights weights;
  private final Ledger ledger;
  private final long bytes;
  private NDManager owner;
  private NDList tensors = new NDList();
  private long version;

  /**
   * Copies of {@code weights}, none yet.
   *
   * @param bytes that they take
   */
  ReorderedWeights(
      Device device, Kernels kernels, GenerationWeights weights, Ledger ledger, long bytes) {
    this.device = device;
    this.kernels = kernels;
    this.weights = weights;
    this.ledger = ledger;
    this.bytes = bytes;
    this.owner = device.newManager();
  }

  /** Those of the weights as they are now, in the same order. */
  NDList tensors() {
    if (!tensors.isEmpty() && version != weights.version()) {
      free();
    }
    if (tensors.isEmpty()) {
      tensors = kernels.call(owner, "reordered_weights", weights.tensors());
      version = weights.version();
      ledger.add(StateKind.PARAMETERS, bytes);
    }
    return tensors;
  }

  /** Frees the copies; the next call of {@link #tensors} makes them again. */
  void free() {
    if (!tensors.isEmpty()) {
      owner.close();
      owner = device.newManager();
      tensors = new NDList();
      ledger.add(StateKind.PARAMETERS, -bytes);
    }
  }

  @Override
  public void close() {
    free();
    owner.close();
  }
}

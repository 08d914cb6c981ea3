package roll.strategy.vllm;

import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import roll.api.memory.MemoryKind;
import roll.strategy.vllm.config.WeightFormat;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.MemoryLedger;
import roll.torch.model.GenerationWeights;
import roll.torch.model.Parameters;

/**
 * The weights of an engine's steps: {@link GenerationWeights}, and copies of the linear layers in
 * its {@link WeightFormat} ({@code reordered.py}, {@code int8.py}), recreated by the first step
 * after an update. Used only on the compute thread.
 */
final class FormattedWeights implements AutoCloseable {
  /** Maximum tokens of a step that reads reordered weights; whole prompts do not gain from them. */
  private static final int REORDERED = 256;

  /**
   * Maximum tokens of a step that reads int8 weights, whose kernel computes four rows at a time.
   */
  private static final int BYTES = 4;

  private final Device device;
  private final Kernels kernels;
  private final GenerationWeights weights;
  private final MemoryLedger ledger;
  private final WeightFormat format;
  private final long bytes;
  private NDManager owner;
  private NDList many = new NDList();
  private NDList few = new NDList();
  private long version;

  /**
   * Creates the weights without copies.
   *
   * @param kernels with the functions of {@code format}
   * @param weights closed with this object
   * @param bytes of the copies
   */
  FormattedWeights(
      Device device,
      Kernels kernels,
      GenerationWeights weights,
      MemoryLedger ledger,
      WeightFormat format,
      long bytes) {
    this.device = device;
    this.kernels = kernels;
    this.weights = weights;
    this.ledger = ledger;
    this.format = format;
    this.bytes = bytes;
    this.owner = device.newManager();
  }

  /** Switches to {@code next}, which has the same specification. */
  void use(Parameters next) {
    weights.use(next);
    freeFormatted();
  }

  /** Returns the version of the weights. */
  long version() {
    return weights.version();
  }

  /** Returns the parameters of the vision tower. */
  NDList tower() {
    return weights.tower();
  }

  /** Returns the current weights for a step of {@code tokens} tokens, in their order. */
  NDList tensors(int tokens) {
    if (format == WeightFormat.PLAIN || (format == WeightFormat.REORDERED && tokens > REORDERED)) {
      return weights.tensors();
    }
    refresh();
    return format == WeightFormat.INT8 && tokens <= BYTES ? few : many;
  }

  private void refresh() {
    if (!many.isEmpty() && version != weights.version()) {
      freeFormatted();
    }
    if (many.isEmpty()) {
      version = weights.version();
      if (format == WeightFormat.INT8) {
        NDList both = kernels.call(owner, "int8_weights", weights.tensors());
        few = both.subNDList(0, both.size() / 2);
        many = both.subNDList(both.size() / 2);
      } else {
        many = kernels.call(owner, "reordered_weights", weights.tensors());
      }
      ledger.add(MemoryKind.PARAMETERS, bytes);
    }
  }

  /** Frees the copies in another format; the next step recreates them. */
  void freeFormatted() {
    if (!many.isEmpty()) {
      owner.close();
      owner = device.newManager();
      many = new NDList();
      few = new NDList();
      ledger.add(MemoryKind.PARAMETERS, -bytes);
    }
  }

  /** Frees all copies, until {@link #restore}. */
  void free() {
    freeFormatted();
    weights.free();
  }

  /** Restores what {@link #free} freed. */
  void restore() {
    weights.restore();
  }

  @Override
  public void close() {
    freeFormatted();
    owner.close();
    weights.close();
  }
}

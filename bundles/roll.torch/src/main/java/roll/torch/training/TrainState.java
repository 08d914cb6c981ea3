package roll.torch.training;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.config.OptimizerName;
import roll.api.model.DecoderSpec;
import roll.huggingface.StoredTensor;

/**
 * The trained weights and optimizer state of a model, on one device or sharded over ranks: the
 * content of a checkpoint. Used while no training step runs.
 */
@ProviderType
public interface TrainState {
  /** The kinds of f32 numbers of a trained weight. */
  enum Kind {
    /** Train state kind: the weight itself. */
    WEIGHT(""),
    /** Kind of training state: the running mean of a weight's gradient. */
    FIRST("first."),
    /** Kind of training state: the running mean of a weight's squared gradient. */
    SECOND("second.");

    private final String prefix;

    Kind(String prefix) {
      this.prefix = prefix;
    }

    /** Returns the prefix of the parameter's name in files. */
    public String prefix() {
      return prefix;
    }
  }

  /** Returns the trained parameters of the train state. */
  List<DecoderSpec.Parameter> trained();

  /** Returns all weights of the model except adapters, in the order of its specification. */
  List<StoredTensor> model();

  /** Returns the weights of adapters; empty without adapters. */
  List<StoredTensor> adapters();

  /**
   * Copies numbers from the state.
   *
   * @param parameter index in {@link #trained}
   * @param first first of that parameter's numbers, row-major
   * @param target filled with floats in native byte order
   */
  void read(Kind kind, int parameter, long first, MemorySegment target);

  /**
   * All numbers of a kind of a parameter.
   *
   * @param parameter index in {@link #trained}
   * @param target their memory
   */
  record Part(Kind kind, int parameter, MemorySegment target) {}

  /**
   * Copies parts of the state, perhaps after this call has returned. The state must not change
   * until the result is complete.
   */
  default CompletableFuture<Void> readAll(List<Part> parts) {
    parts.forEach(part -> read(part.kind(), part.parameter(), 0, part.target()));
    return CompletableFuture.completedFuture(null);
  }

  /** Copies numbers into the state, the inverse of {@link #read}. */
  void write(Kind kind, int parameter, long first, MemorySegment source);

  /**
   * Returns whether this state has numbers of a kind of the trained parameter {@code parameter}.
   */
  default boolean has(Kind kind, int parameter) {
    return true;
  }

  /** Returns the optimizer whose state this is. */
  default OptimizerName optimizer() {
    return OptimizerName.ADAMW;
  }

  /** Returns the number of optimizer steps. */
  long steps();

  /**
   * Completes a restore after all numbers were written: the state has made {@code steps} optimizer
   * steps.
   */
  void resume(long steps);
}

package roll.torch.training;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.config.OptimizerName;
import roll.api.model.DecoderSpec;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;

/**
 * The trained weights and optimizer state of a model, on one device or sharded over ranks: the
 * content of a checkpoint. Used while no training step runs.
 */
@ProviderType
public interface TrainState {
  /** The kinds of numbers of a trained parameter. */
  enum Kind {
    /** Train state kind: the weight itself. */
    WEIGHT(""),
    /** Kind of training state: the running mean of a weight's gradient. */
    FIRST("first."),
    /** Kind of training state: the running mean of a weight's squared gradient. */
    SECOND("second."),
    /** Kind of training state: the scales of first moments of 8 bits. */
    FIRST_SCALES("first_scales."),
    /** Kind of training state: the scales of second moments of 8 bits. */
    SECOND_SCALES("second_scales.");

    private final String prefix;

    Kind(String prefix) {
      this.prefix = prefix;
    }

    /** Returns whether these are scales of blocks. */
    public boolean scales() {
      return this == FIRST_SCALES || this == SECOND_SCALES;
    }

    /** Returns the shape of the numbers of {@code parameter}. */
    List<Integer> shape(DecoderSpec.Parameter parameter) {
      return scales()
          ? List.of(Math.toIntExact(AdamW8Bit.blocks(parameter.size())))
          : parameter.shape();
    }

    /** Returns the number of numbers of {@code parameter}. */
    long size(DecoderSpec.Parameter parameter) {
      return scales() ? AdamW8Bit.blocks(parameter.size()) : parameter.size();
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
   * @param target filled with numbers in native byte order
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
   * Returns the format, F32 or U8, of numbers of a kind of the trained parameter {@code parameter},
   * or null if this state has none.
   */
  default @Nullable TensorFormat format(Kind kind, int parameter) {
    return kind.scales() ? null : TensorFormat.F32;
  }

  /**
   * Returns whether this state has numbers of a kind of the trained parameter {@code parameter}.
   */
  default boolean has(Kind kind, int parameter) {
    return format(kind, parameter) != null;
  }

  /** Returns the bytes of the numbers of a kind of {@code trained}, which has {@code index}. */
  default long bytes(Kind kind, int index, DecoderSpec.Parameter trained) {
    TensorFormat format = format(kind, index);
    return format == null ? 0 : format.bytes() * kind.size(trained);
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

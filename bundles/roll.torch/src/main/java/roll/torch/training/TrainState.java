package roll.torch.training;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.model.DecoderSpec;
import roll.huggingface.StoredTensor;

/**
 * What is trained of a model and what its optimizer knows, wherever that lies: what a checkpoint
 * holds beside the model's files. Used while nothing trains.
 */
@ProviderType
public interface TrainState {
  /** One of the numbers there are for each weight that is trained, f32. */
  enum Kind {
    /** The weight itself. */
    WEIGHT(""),
    /** The running mean of its gradient. */
    FIRST("first."),
    /** The running mean of its squared gradient. */
    SECOND("second.");

    private final String prefix;

    Kind(String prefix) {
      this.prefix = prefix;
    }

    /** What precedes the name of the parameter in files. */
    public String prefix() {
      return prefix;
    }
  }

  /** The parameters that are trained. */
  List<DecoderSpec.Parameter> trained();

  /** All weights of the model but those of adapters, in the order of its specification. */
  List<StoredTensor> model();

  /** The weights of adapters; none where there are none. */
  List<StoredTensor> adapters();

  /**
   * Copies numbers from the state.
   *
   * @param parameter which of {@link #trained}
   * @param first of that parameter's numbers, row by row
   * @param target receives as many floats, in native byte order, as it has room for
   */
  void read(Kind kind, int parameter, long first, MemorySegment target);

  /** Copies numbers into the state, as {@link #read} does from it. */
  void write(Kind kind, int parameter, long first, MemorySegment source);

  /** Optimizer steps made. */
  long steps();

  /** Says that all has been written, and that {@code steps} optimizer steps were made. */
  void resume(long steps);
}

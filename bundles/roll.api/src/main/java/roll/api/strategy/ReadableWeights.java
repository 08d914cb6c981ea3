package roll.api.strategy;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.model.DecoderSpec;

/**
 * Weights whose numbers can be read, wherever they lie: in a device's memory, spread over ranks, or
 * received from another node.
 */
@ConsumerType
public interface ReadableWeights extends Weights {
  /** The model they belong to. */
  DecoderSpec spec();

  /**
   * Copies weights, as f32. While they are read they must not change. Can be called by any thread.
   *
   * @param index which parameter, in the order of the specification
   * @param first number of the first weight of that parameter, row by row
   * @param target receives as many floats, in native byte order, as it has room for
   */
  void read(int index, long first, MemorySegment target);

  /**
   * Whether reading asks other processes, so that who needs the weights twice should keep a copy.
   */
  default boolean remote() {
    return false;
  }
}

package roll.api.strategy;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.model.DecoderSpec;

/**
 * Weights whose values can be read, whether in a device's memory, sharded over ranks, or received
 * from another node.
 */
@ConsumerType
public interface ReadableWeights extends WeightsHandle {
  /** Specification of the model that has these weights. */
  DecoderSpec spec();

  /**
   * Copies weights as f32. They must not change while they are read. Thread-safe.
   *
   * @param index index of the parameter in the order of the specification
   * @param first index of the first value of that parameter in row-major order
   * @param target is filled with floats in native byte order
   */
  void read(int index, long first, MemorySegment target);

  /**
   * Whether reading the weights involves other processes, so that repeated readers should keep a
   * copy.
   */
  default boolean remote() {
    return false;
  }
}

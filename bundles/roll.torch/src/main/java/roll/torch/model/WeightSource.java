package roll.torch.model;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.model.DecoderSpec;
import roll.api.strategy.Weights;

/** Weights that can be read, wherever they lie: in one piece or spread over ranks. */
@ProviderType
public interface WeightSource extends Weights {
  /** The model they belong to. */
  DecoderSpec spec();

  /**
   * Copies weights, as f32. While they are read they must not change.
   *
   * @param index which parameter, in the order of the specification
   * @param first number of the first weight of that parameter, row by row
   * @param target receives as many floats, in native byte order, as it has room for
   */
  void read(int index, long first, MemorySegment target);
}

package roll.torch.model;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.model.DecoderSpec;
import roll.api.strategy.ReadableWeights;
import roll.api.strategy.Weights;

/** Weights that this layer can read, wherever they lie: in one piece or spread over ranks. */
@ProviderType
public interface WeightSource extends ReadableWeights, Weights {
  @Override
  DecoderSpec spec();

  @Override
  void read(int index, long first, MemorySegment target);
}

package roll.torch.model;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.model.DecoderSpec;
import roll.api.strategy.ReadableWeights;
import roll.api.strategy.WeightsHandle;

/** Weights readable by the compute layer, on one device or sharded over ranks. */
@ProviderType
public interface WeightSource extends ReadableWeights, WeightsHandle {
  @Override
  DecoderSpec spec();

  @Override
  void read(int index, long first, MemorySegment target);
}

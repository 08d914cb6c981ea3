package roll.cluster.inference;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import roll.api.model.DecoderSpec;
import roll.api.strategy.ReadableWeights;

/** Weights that lie in other processes, which count the bytes that are read of them. */
record FarWeights(TestWeights weights, AtomicLong bytes) implements ReadableWeights {
  @Override
  public DecoderSpec spec() {
    return weights.spec();
  }

  @Override
  public long version() {
    return weights.version();
  }

  @Override
  public void read(int index, long first, MemorySegment target) {
    bytes.addAndGet(target.byteSize());
    weights.read(index, first, target);
  }

  @Override
  public boolean remote() {
    return true;
  }
}

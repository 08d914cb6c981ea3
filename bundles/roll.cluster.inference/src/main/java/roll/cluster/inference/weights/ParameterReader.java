package roll.cluster.inference.weights;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import roll.api.model.DecoderSpec;
import roll.api.strategy.ReadableWeights;
import roll.cluster.transfer.VersionReader;
import roll.decoder.DecoderParameters;

/** Reads the parameters of a layout, one behind the other, as f32. */
final class ParameterReader implements VersionReader {
  private final ReadableWeights weights;
  private final int[] indices;
  private final long[] starts;

  /** Of {@code weights}, which must not change while they are read. */
  ParameterReader(WeightLayout layout, ReadableWeights weights) {
    this.weights = weights;
    this.indices = layout.indices();
    this.starts = new long[indices.length + 1];
    List<DecoderSpec.Parameter> all = DecoderParameters.of(layout.spec());
    for (int i = 0; i < indices.length; i++) {
      starts[i + 1] = starts[i] + all.get(indices[i]).size() * Float.BYTES;
    }
  }

  @Override
  public MemorySegment read(long at, MemorySegment scratch) {
    int found = Arrays.binarySearch(starts, at);
    int part = found < 0 ? -found - 2 : found;
    while (starts[part + 1] == at) {
      part++; // one without numbers
    }
    long most = Math.min(scratch.byteSize(), starts[part + 1] - at);
    MemorySegment target = scratch.asSlice(0, most / Float.BYTES * Float.BYTES);
    weights.read(indices[part], (at - starts[part]) / Float.BYTES, target);
    return target;
  }
}

package roll.cluster.inference.weights;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import roll.api.model.DecoderSpec;
import roll.api.strategy.ReadableWeights;

/**
 * Weights in native memory, as f32 or bf16 in native byte order.
 *
 * @param spec the model
 * @param version of the weights
 * @param narrow whether the numbers are bf16
 * @param parts memory of each parameter, in the order of the specification
 */
public record NativeWeights(
    DecoderSpec spec, long version, boolean narrow, List<MemorySegment> parts)
    implements ReadableWeights {
  /** Creates an image with a copy of the list. */
  public NativeWeights {
    parts = List.copyOf(parts);
  }

  @Override
  public void read(int index, long first, MemorySegment target) {
    MemorySegment part = parts.get(index);
    if (!narrow) {
      MemorySegment.copy(part, Float.BYTES * first, target, 0, target.byteSize());
      return;
    }
    for (long i = 0; i < target.byteSize() / Float.BYTES; i++) {
      int bits = part.getAtIndex(ValueLayout.JAVA_SHORT, first + i) << 16;
      target.set(ValueLayout.JAVA_INT_UNALIGNED, Float.BYTES * i, bits);
    }
  }
}

package roll.cluster.inference.weights;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import roll.api.model.DecoderSpec;
import roll.api.strategy.ReadableWeights;
import roll.cluster.transfer.VersionReader;
import roll.decoder.DecoderParameters;

/** Reads weights as the bytes of a layout, rounding them to bf16 where it has that. */
final class NarrowingReader implements VersionReader {
  /** Numbers that are rounded at once, which stay in the processor's cache. */
  private static final int AT_ONCE = 1 << 16;

  private final WeightLayout layout;
  private final ReadableWeights weights;
  private final int[] indices;
  private final long[] starts;

  /** Of {@code weights}, which must not change while they are read. */
  NarrowingReader(WeightLayout layout, ReadableWeights weights) {
    this.layout = layout;
    this.weights = weights;
    this.indices = layout.indices();
    this.starts = new long[indices.length + 1];
    List<DecoderSpec.Parameter> all = DecoderParameters.of(layout.spec());
    for (int i = 0; i < indices.length; i++) {
      starts[i + 1] = starts[i] + all.get(indices[i]).size() * layout.width();
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
    MemorySegment target = scratch.asSlice(0, most / layout.width() * layout.width());
    long first = (at - starts[part]) / layout.width();
    if (layout.narrow()) {
      narrow(indices[part], first, target);
    } else {
      weights.read(indices[part], first, target);
    }
    return target;
  }

  private void narrow(int index, long first, MemorySegment to) {
    long size = to.byteSize() / Short.BYTES;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment wide = arena.allocate(Float.BYTES * Math.min(size, AT_ONCE), 64);
      for (long from = 0; from < size; from += AT_ONCE) {
        long count = Math.min(AT_ONCE, size - from);
        weights.read(index, first + from, wide.asSlice(0, Float.BYTES * count));
        for (long i = 0; i < count; i++) {
          int bits = wide.getAtIndex(ValueLayout.JAVA_INT, i);
          to.setAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, from + i, rounded(bits));
        }
      }
    }
  }

  /** The bf16 that is nearest to the f32 with these bits, of two the even one; a NaN stays one. */
  static short rounded(int bits) {
    if ((bits & 0x7fffffff) > 0x7f800000) {
      return (short) 0x7fc0;
    }
    return (short) ((bits + 0x7fff + (bits >>> 16 & 1)) >>> 16);
  }
}

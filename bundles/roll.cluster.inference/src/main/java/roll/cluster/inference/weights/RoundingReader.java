package roll.cluster.inference.weights;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import roll.cluster.transfer.VersionReader;

/**
 * Reads f32 numbers as bf16, rounded to the nearest whenever they are read: whoever has them copied
 * does not wait for that.
 *
 * @param wide the numbers as f32
 */
record RoundingReader(MemorySegment wide) implements VersionReader {
  @Override
  public MemorySegment read(long at, MemorySegment scratch) {
    long first = at / Short.BYTES;
    long count = Math.min(scratch.byteSize() / Short.BYTES, wide.byteSize() / Float.BYTES - first);
    MemorySegment from = wide.asSlice(Float.BYTES * first, Float.BYTES * count);
    for (long i = 0; i < count; i++) {
      int bits = from.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i);
      scratch.setAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, i, rounded(bits));
    }
    return scratch.asSlice(0, Short.BYTES * count);
  }

  /** The bf16 that is nearest to the f32 with these bits, of two the even one; a NaN stays one. */
  static short rounded(int bits) {
    if ((bits & 0x7fffffff) > 0x7f800000) {
      return (short) 0x7fc0;
    }
    return (short) ((bits + 0x7fff + (bits >>> 16 & 1)) >>> 16);
  }
}

package roll.torch;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/**
 * One tensor as a safetensors file holds it: little-endian, row-major.
 *
 * @param name its name
 * @param format its number format
 * @param shape its dimensions; none for a scalar
 * @param data its bytes, {@code size() * format.bytes()} of them; usable as long as their owner
 *     (the open {@link Safetensors}, or whoever made the tensor) is
 */
public record StoredTensor(String name, TensorFormat format, List<Long> shape, MemorySegment data) {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** A tensor over {@code data}, whose length must be that of the shape. */
  public StoredTensor {
    shape = List.copyOf(shape);
    long expected = shape.stream().reduce(1L, Math::multiplyExact) * format.bytes();
    if (data.byteSize() != expected) {
      throw new IllegalArgumentException(
          name + ": " + data.byteSize() + " bytes for " + expected + " of " + format + shape);
    }
  }

  /** Number of elements. */
  public long size() {
    return data.byteSize() / format.bytes();
  }

  /**
   * Copies elements as 32-bit floats, exactly, into {@code target} (native byte order).
   *
   * @param first the first element to copy
   * @param target receives as many elements as it has room for
   * @throws IllegalStateException if the format is not F32, F16 or BF16
   */
  public void readFloats(long first, MemorySegment target) {
    long count = target.byteSize() / Float.BYTES;
    switch (format) {
      case F32 ->
          MemorySegment.copy(
              data, FLOAT, first * Float.BYTES, target, ValueLayout.JAVA_FLOAT_UNALIGNED, 0, count);
      case F16, BF16 -> {
        for (long i = 0; i < count; i++) {
          float value = format.widen(data.get(SHORT, (first + i) * Short.BYTES));
          target.set(ValueLayout.JAVA_FLOAT_UNALIGNED, i * Float.BYTES, value);
        }
      }
      default -> throw new IllegalStateException(name + " is " + format + ", not floating point");
    }
  }

  /**
   * Converts elements of this F32 tensor into {@code target}, little-endian, as a file wants them.
   *
   * @param first the first element to convert
   * @param wanted F32, F16 or BF16
   * @param target receives as many elements as it has room for
   */
  void writeFloats(long first, TensorFormat wanted, MemorySegment target) {
    long count = target.byteSize() / wanted.bytes();
    if (wanted == format) {
      long from = first * format.bytes();
      MemorySegment.copy(data, from, target, 0, count * format.bytes());
      return;
    }
    if (format != TensorFormat.F32 || !wanted.isFloat()) {
      throw new IllegalStateException(name + ": cannot store " + format + " as " + wanted);
    }
    for (long i = 0; i < count; i++) {
      short half = wanted.narrow(data.get(FLOAT, (first + i) * Float.BYTES));
      target.set(SHORT, i * Short.BYTES, half);
    }
  }
}

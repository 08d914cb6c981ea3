package roll.torch;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import roll.api.option.UserException;

/** Refuses files with numbers that are not finite. */
public final class FiniteFloats {
  /** The exponent bits of infinities and NaN (IEEE 754). */
  private static final int EXPONENT = 0x7F80_0000;

  private FiniteFloats() {}

  /**
   * Checks the 32-bit floats in {@code memory}, which were read from {@code tensor} of {@code
   * file}.
   *
   * @throws UserException if one is not finite
   */
  public static void require(MemorySegment memory, String tensor, Path file) {
    long count = memory.byteSize() / Float.BYTES;
    boolean all = true;
    for (long i = 0; i < count; i++) {
      int bits = memory.get(ValueLayout.JAVA_INT_UNALIGNED, i * Integer.BYTES);
      all &= (bits & EXPONENT) != EXPONENT;
    }
    if (!all) {
      throw new UserException(
          "%s: tensor '%s' has numbers that are not finite (NaN or infinity)"
              .formatted(file, tensor));
    }
  }
}

package roll.text;

import java.util.List;
import java.util.Locale;

/** Numbers of bytes of memory as people read them. */
public final class ByteSize {
  private static final List<String> UNITS = List.of("KiB", "MiB", "GiB", "TiB");

  private ByteSize() {}

  /**
   * {@code bytes} in the largest unit of which there is one, with two decimals: {@code 512 B},
   * {@code 1.50 GiB}; at least 1,024 TiB stay such.
   *
   * @param bytes at least 0
   */
  public static String of(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    double value = bytes / 1024.0;
    int unit = 0;
    while (rounded(value) >= 1024 && unit < UNITS.size() - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.2f %s", value, UNITS.get(unit));
  }

  /** What is shown of {@code value}, so that nobody reads 1024.00 KiB. */
  private static double rounded(double value) {
    return Math.rint(value * 100) / 100;
  }
}

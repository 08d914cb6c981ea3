package roll.text;

import java.util.List;
import java.util.Locale;

/** Formats numbers of bytes. */
public final class ByteSize {
  private static final List<String> UNITS = List.of("KiB", "MiB", "GiB", "TiB");

  private ByteSize() {}

  /**
   * Returns {@code bytes} in the largest fitting unit, with two decimals: {@code 512 B}, {@code
   * 1.50 GiB}; TiB is the largest unit.
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

  /** Returns the displayed value, so that 1024.00 KiB becomes 1.00 MiB. */
  private static double rounded(double value) {
    return Math.rint(value * 100) / 100;
  }
}

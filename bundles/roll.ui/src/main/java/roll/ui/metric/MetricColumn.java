package roll.ui.metric;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values of one metric by row, in blocks: it grows without copies, and blocks without the
 * metric use no memory.
 */
final class MetricColumn {
  /** The value of a row without the metric; {@link MetricLine} has no infinite values. */
  static final double ABSENT = Double.POSITIVE_INFINITY;

  private static final int BLOCK = 128;

  private double[] @Nullable [] blocks = new double[0][];
  private long bytes;

  /** Returns the value at {@code row}: NaN if it is not a number. */
  double get(int row) {
    double[] block = row / BLOCK < blocks.length ? blocks[row / BLOCK] : null;
    return block == null ? ABSENT : block[row % BLOCK];
  }

  /** Sets the metric's value at {@code row}. */
  void set(int row, double value) {
    int at = row / BLOCK;
    if (at >= blocks.length) {
      blocks = Arrays.copyOf(blocks, Math.max(at + 1, blocks.length * 3 / 2));
    }
    double[] block = blocks[at];
    if (block == null) {
      block = new double[BLOCK];
      Arrays.fill(block, ABSENT);
      blocks[at] = block;
      bytes += BLOCK * Double.BYTES;
    }
    block[row % BLOCK] = value;
  }

  /** Returns every other one of {@code rows} rows, beginning with the first. */
  MetricColumn thinned(int rows) {
    MetricColumn thinned = new MetricColumn();
    for (int row = 0; row < rows; row += 2) {
      double value = get(row);
      if (value != ABSENT) {
        thinned.set(row / 2, value);
      }
    }
    return thinned;
  }

  /** Returns the bytes in memory, including references to blocks. */
  long bytes() {
    return bytes + (long) blocks.length * Integer.BYTES;
  }
}

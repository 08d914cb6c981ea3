package roll.ui.metric;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values of one metric by row, in small blocks: it grows without being copied, and rows that do
 * not name the metric take no memory where there are many of them.
 */
final class MetricColumn {
  /** Where a row does not name the metric; {@link MetricLine} has no infinite values. */
  static final double ABSENT = Double.POSITIVE_INFINITY;

  private static final int BLOCK = 128;

  private double[] @Nullable [] blocks = new double[0][];
  private long bytes;

  /** The value at {@code row}: NaN where it is no number. */
  double get(int row) {
    double[] block = row / BLOCK < blocks.length ? blocks[row / BLOCK] : null;
    return block == null ? ABSENT : block[row % BLOCK];
  }

  /** Sets it. */
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

  /** Every other one of {@code rows} rows, from the first on. */
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

  /** Bytes that it takes, with those of the references to its blocks. */
  long bytes() {
    return bytes + (long) blocks.length * Integer.BYTES;
  }
}

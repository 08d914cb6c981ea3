package roll.collectives.gloo;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Adds up in the order of the ranks, as threads do. Used by one thread. */
final class RankSum {
  /** Floats added at once: three arrays of them fit into the processor's first cache. */
  private static final int TILE = 2048;

  private final int ranks;
  private final float[] sum = new float[TILE];
  private final float[] term = new float[TILE];

  RankSum(int ranks) {
    this.ranks = ranks;
  }

  /** {@code own} becomes the sum of the equally long parts of {@code heard}. */
  void of(MemorySegment heard, MemorySegment own) {
    long bytes = own.byteSize();
    for (long at = 0; at < bytes; at += (long) TILE * Float.BYTES) {
      int n = (int) Math.min(TILE, (bytes - at) / Float.BYTES);
      MemorySegment.copy(heard, ValueLayout.JAVA_FLOAT_UNALIGNED, at, sum, 0, n);
      for (int r = 1; r < ranks; r++) {
        MemorySegment.copy(heard, ValueLayout.JAVA_FLOAT_UNALIGNED, r * bytes + at, term, 0, n);
        for (int i = 0; i < n; i++) {
          sum[i] += term[i];
        }
      }
      MemorySegment.copy(sum, 0, own, ValueLayout.JAVA_FLOAT_UNALIGNED, at, n);
    }
  }
}

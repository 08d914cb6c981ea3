package roll.collectives.gloo;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Sum in the order of the ranks, as ranks that are threads compute it. Not thread-safe. */
final class OrderedSum {
  /** Number of floats per tile; three tiles fit into the L1 cache. */
  private static final int TILE = 2048;

  private final float[] sum = new float[TILE];
  private final float[] term = new float[TILE];

  /** Sums the arrays {@code parts} of equal length into {@code own}, which may be one of them. */
  void of(List<MemorySegment> parts, MemorySegment own) {
    long bytes = own.byteSize();
    for (long at = 0; at < bytes; at += (long) TILE * Float.BYTES) {
      int n = (int) Math.min(TILE, (bytes - at) / Float.BYTES);
      read(parts.getFirst(), at, n, sum);
      for (MemorySegment part : parts.subList(1, parts.size())) {
        read(part, at, n, term);
        for (int i = 0; i < n; i++) {
          sum[i] += term[i];
        }
      }
      MemorySegment.copy(sum, 0, own, ValueLayout.JAVA_FLOAT_UNALIGNED, at, n);
    }
  }

  private static void read(MemorySegment part, long at, int n, float[] to) {
    MemorySegment.copy(part, ValueLayout.JAVA_FLOAT_UNALIGNED, at, to, 0, n);
  }
}

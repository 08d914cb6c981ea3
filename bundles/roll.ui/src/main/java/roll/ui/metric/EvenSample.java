package roll.ui.metric;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Map;
import java.util.TreeMap;

/** Some lines of a large file, evenly spaced: what can be said of it at once. */
final class EvenSample {
  private static final int MOST = 512;
  private static final long NANOS = 300_000_000;

  /** Twice what a line has mostly, so that one read finds a whole one. */
  private static final int PIECE = 32 << 10;

  private EvenSample() {}

  /**
   * The first line, the last, those halfway, and so on between them, until there are enough or it
   * takes too long.
   *
   * @param size of the file
   */
  static BucketIndex of(FileChannel channel, long size) throws IOException {
    Map<Long, MetricLine> found = new TreeMap<>();
    long deadline = System.nanoTime() + NANOS;
    read(channel, 0, size, found);
    last(channel, size, found);
    for (int i = 1; i < MOST && System.nanoTime() < deadline; i++) {
      read(channel, (long) (halves(i) * size), size, found);
    }
    BucketIndex index = new BucketIndex();
    found.forEach(
        (offset, line) -> {
          if (line.step() > index.last()) {
            index.add(line, offset, line.step() - index.last());
          }
        });
    return index;
  }

  /** 1/2, 1/4, 3/4, 1/8, 5/8 …: van der Corput's sequence in base 2. */
  private static double halves(int i) {
    return Integer.toUnsignedLong(Integer.reverse(i)) / 0x1p32;
  }

  /** Reads the first whole line behind {@code from}, or the one there where that is 0. */
  private static void read(FileChannel channel, long from, long size, Map<Long, MetricLine> found)
      throws IOException {
    for (long piece = PIECE; piece <= 2L * FileLines.LONGEST; piece *= 8) {
      long[] at = {-1};
      FileLines.read(
          channel,
          from,
          Math.min(size, from + piece),
          (offset, bytes, start, length) -> {
            if (offset == from && from > 0) {
              return true; // the end of a line that begins before
            }
            at[0] = offset;
            take(offset, bytes, start, length, found);
            return false;
          });
      if (at[0] >= 0 || from + piece >= size) {
        return;
      }
    }
  }

  private static void last(FileChannel channel, long size, Map<Long, MetricLine> found)
      throws IOException {
    for (long piece = PIECE; piece <= 2L * FileLines.LONGEST; piece *= 8) {
      long from = Math.max(0, size - piece);
      long[] at = {-1};
      FileLines.read(
          channel,
          from,
          size,
          (offset, bytes, start, length) -> {
            at[0] = offset > from || from == 0 ? offset : at[0];
            return true;
          });
      if (at[0] >= 0) {
        FileLines.read(
            channel,
            at[0],
            size,
            (offset, bytes, start, length) -> take(offset, bytes, start, length, found));
        return;
      }
      if (from == 0) {
        return;
      }
    }
  }

  private static boolean take(
      long offset, byte[] bytes, int start, int length, Map<Long, MetricLine> found) {
    MetricLine line = new MetricLine();
    if (!found.containsKey(offset) && line.read(bytes, start, length, _ -> true)) {
      found.put(offset, line);
    }
    return false;
  }
}

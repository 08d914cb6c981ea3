package roll.ui.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/** Reads the complete lines of a part of a file. */
public final class FileLines {
  /** A longer line is read in pieces, none of which is a line of metrics. */
  public static final int LONGEST = 4 << 20;

  private static final int BUFFER = 256 << 10;

  private FileLines() {}

  /** Receives the lines of a file. */
  public interface Taker {
    /**
     * Receives one line of the file.
     *
     * @param offset of its first byte in the file
     * @param bytes contain it from {@code start}, {@code length} bytes without its end; valid only
     *     during the call
     * @return whether to continue
     */
    boolean line(long offset, byte[] bytes, int start, int length);
  }

  /**
   * Passes every line that begins at {@code from} or later and ends before {@code to} to {@code
   * taker}, until that returns false. Empty lines are skipped.
   *
   * @param from the beginning of a line
   * @return the offset after the last line that was passed
   */
  public static long read(FileChannel channel, long from, long to, Taker taker) throws IOException {
    byte[] buffer = new byte[(int) Math.min(BUFFER, Math.max(1, to - from))];
    long begin = from; // offset of the buffer's first byte
    int filled = 0;
    while (true) {
      int got = fill(channel, buffer, filled, begin, to);
      int scanned = filled;
      filled += got;
      int start = 0;
      for (int i = scanned; i < filled; i++) {
        if (buffer[i] == '\n') {
          if (!give(taker, begin, buffer, start, i)) {
            return begin + i + 1;
          }
          start = i + 1;
        }
      }
      if (start == 0 && filled >= LONGEST) {
        if (!give(taker, begin, buffer, 0, filled)) {
          return begin + filled;
        }
        start = filled;
      }
      if (got == 0 && start == 0 && filled < buffer.length) {
        return begin;
      }
      begin += start;
      filled -= start;
      System.arraycopy(buffer, start, buffer, 0, filled);
      if (filled == buffer.length) {
        buffer = Arrays.copyOf(buffer, Math.min(LONGEST, 2 * buffer.length));
      }
    }
  }

  private static boolean give(Taker taker, long begin, byte[] buffer, int start, int end) {
    int last = end > start && buffer[end - 1] == '\r' ? end - 1 : end;
    return last == start || taker.line(begin + start, buffer, start, last - start);
  }

  /** Reads up to the end of the buffer; returns the number of bytes. */
  private static int fill(FileChannel channel, byte[] buffer, int filled, long begin, long to)
      throws IOException {
    long left = Math.min(buffer.length - filled, to - begin - filled);
    int got = 0;
    while (got < left) {
      int read =
          channel.read(
              ByteBuffer.wrap(buffer, filled + got, (int) left - got), begin + filled + got);
      if (read < 0) {
        break;
      }
      got += read;
    }
    return got;
  }
}

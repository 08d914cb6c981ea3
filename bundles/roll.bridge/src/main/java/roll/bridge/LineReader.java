package roll.bridge;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reader of UTF-8 lines with a maximum length. */
final class LineReader {
  private static final int BUFFER = 1 << 16;

  private final InputStream in;
  private final int most;
  private final boolean cut;
  private final byte[] buffer = new byte[BUFFER];
  private int next;
  private int end;

  /**
   * Creates a reader.
   *
   * @param most maximum number of bytes of a line
   * @param cut whether longer lines are truncated instead of rejected
   */
  LineReader(InputStream in, int most, boolean cut) {
    this.in = in;
    this.most = most;
    this.cut = cut;
  }

  /**
   * Returns the next line without its terminator; null after the last one.
   *
   * @throws LongLineException if it is too long and not truncated
   */
  @Nullable String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (true) {
      if (next == end) {
        end = in.read(buffer);
        next = 0;
        if (end < 0) {
          end = 0;
          return line.size() == 0 ? null : text(line);
        }
      }
      int from = next;
      while (next < end && buffer[next] != '\n') {
        next++;
      }
      int length = next - from;
      if (line.size() + length > most) {
        if (!cut) {
          throw new LongLineException("a line of more than " + (most >> 20) + " MiB");
        }
        length = most - line.size();
      }
      line.write(buffer, from, length);
      if (next < end) {
        next++; // the line terminator
        return text(line);
      }
    }
  }

  private static String text(ByteArrayOutputStream line) {
    String text = line.toString(StandardCharsets.UTF_8);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }

  /** A line exceeds the maximum length. */
  static final class LongLineException extends IOException {
    private static final long serialVersionUID = 1L;

    LongLineException(String message) {
      super(message);
    }
  }
}

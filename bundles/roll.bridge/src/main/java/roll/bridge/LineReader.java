package roll.bridge;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Lines of UTF-8 from somebody who may write without an end. */
final class LineReader {
  private static final int BUFFER = 1 << 16;

  private final InputStream in;
  private final int most;
  private final boolean cut;
  private final byte[] buffer = new byte[BUFFER];
  private int next;
  private int end;

  /**
   * Reads {@code in}.
   *
   * @param most bytes of a line
   * @param cut whether the rest of a longer one is left out, which else is an error
   */
  LineReader(InputStream in, int most, boolean cut) {
    this.in = in;
    this.most = most;
    this.cut = cut;
  }

  /**
   * The next line without its end; null after the last one.
   *
   * @throws LongLineException if it is too long, and not to be cut
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
        next++; // the line end
        return text(line);
      }
    }
  }

  private static String text(ByteArrayOutputStream line) {
    String text = line.toString(StandardCharsets.UTF_8);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }

  /** A line that nobody could read. */
  static final class LongLineException extends IOException {
    private static final long serialVersionUID = 1L;

    LongLineException(String message) {
      super(message);
    }
  }
}

package roll.sandbox.python_process;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** What a program printed, up to a number of characters; what is more is swallowed. */
final class Printed {
  private static final int BYTES_A_CHARACTER = 4;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private final int limit;

  /** Nothing so far. */
  Printed(int limit) {
    this.limit = limit;
  }

  /** Adds {@code bytes}, UTF-8 that may be cut anywhere. */
  synchronized void add(byte[] bytes) {
    long room = (long) BYTES_A_CHARACTER * (limit + 1L) - kept.size();
    kept.write(bytes, 0, (int) Math.min(bytes.length, room));
  }

  /** What was kept; says at its end if that is not all. */
  synchronized String text() {
    String text = kept.toString(StandardCharsets.UTF_8);
    int characters = text.codePointCount(0, text.length());
    if (characters <= limit) {
      return text;
    }
    String begin = text.substring(0, text.offsetByCodePoints(0, limit));
    return begin + "\n… (cut after " + limit + " characters)";
  }
}

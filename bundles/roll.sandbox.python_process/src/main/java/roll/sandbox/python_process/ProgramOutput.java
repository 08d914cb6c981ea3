package roll.sandbox.python_process;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The output of a program up to a maximum number of characters; the rest is dropped. */
final class ProgramOutput {
  private static final int BYTES_A_CHARACTER = 4;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private final int limit;

  /** Creates an empty output. */
  ProgramOutput(int limit) {
    this.limit = limit;
  }

  /** Adds {@code bytes} of UTF-8, possibly split within a character. */
  synchronized void add(byte[] bytes) {
    long room = (long) BYTES_A_CHARACTER * (limit + 1L) - kept.size();
    kept.write(bytes, 0, (int) Math.min(bytes.length, room));
  }

  /** Returns the kept output of the program, with a note if it was truncated. */
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

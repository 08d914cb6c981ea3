package roll.sandbox.python;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The output of a program up to a maximum number of characters; the rest is dropped. One thread
 * writes at a time, any may read.
 */
final class BoundedOutput extends OutputStream {
  private static final int BYTES_A_CHARACTER = 4;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private int limit;

  /** Clears the output and sets the maximum to {@code characters}. */
  synchronized void begin(int characters) {
    kept.reset();
    limit = characters;
  }

  @Override
  public synchronized void write(int b) {
    if (kept.size() < bytes()) {
      kept.write(b);
    }
  }

  @Override
  public synchronized void write(byte[] b, int offset, int length) {
    kept.write(b, offset, (int) Math.min(length, bytes() - kept.size()));
  }

  /** Returns the kept output of the program, with a note if it was truncated. */
  synchronized String text() {
    String text = kept.toString(StandardCharsets.UTF_8);
    if (text.length() <= limit) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(limit - 1)) ? limit - 1 : limit;
    return text.substring(0, end) + "\n… (cut after " + limit + " characters)";
  }

  /** Returns the maximum bytes: one character more than shown, to detect truncation. */
  private long bytes() {
    return (long) BYTES_A_CHARACTER * (limit + 1L);
  }
}

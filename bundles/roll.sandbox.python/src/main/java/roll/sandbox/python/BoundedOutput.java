package roll.sandbox.python;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * What a program prints, up to a number of characters; what is more is swallowed. Of one thread at
 * a time that writes, and any that reads.
 */
final class BoundedOutput extends OutputStream {
  private static final int BYTES_A_CHARACTER = 4;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private int limit;

  /** Nothing so far; of what comes now {@code characters} are kept. */
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

  /** What was kept; says at its end if that is not all. */
  synchronized String text() {
    String text = kept.toString(StandardCharsets.UTF_8);
    if (text.length() <= limit) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(limit - 1)) ? limit - 1 : limit;
    return text.substring(0, end) + "\n… (cut after " + limit + " characters)";
  }

  /** One character more than is shown, so that it is known whether something was cut. */
  private long bytes() {
    return (long) BYTES_A_CHARACTER * (limit + 1L);
  }
}

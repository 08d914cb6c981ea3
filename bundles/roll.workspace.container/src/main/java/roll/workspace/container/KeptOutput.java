package roll.workspace.container;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The begin and the end of an output, whose middle is left out if it is long. */
final class KeptOutput {
  private final byte[] head;
  private final byte[] tail;
  private long total;

  /** Keeps {@code limit} bytes, half of them from the end. */
  KeptOutput(int limit) {
    head = new byte[limit - limit / 2];
    tail = new byte[limit / 2];
  }

  /** Reads {@code stream} to its end, or until it is closed. */
  void readAll(InputStream stream) {
    byte[] buffer = new byte[1 << 16];
    try (stream) {
      for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
        add(buffer, read);
      }
    } catch (IOException e) {
      // the process was ended
    }
  }

  private synchronized void add(byte[] bytes, int count) {
    int first = Math.min(count, head.length - position());
    System.arraycopy(bytes, 0, head, position(), first);
    for (int i = first; i < count && tail.length > 0; i++) {
      tail[(int) ((total + i - head.length) % tail.length)] = bytes[i];
    }
    total += count;
  }

  private int position() {
    return (int) Math.min(total, head.length);
  }

  /** Returns the number of bytes left out. */
  synchronized long dropped() {
    return Math.max(0, total - head.length - tail.length);
  }

  /** Returns the kept text, invalid UTF-8 replaced. */
  synchronized String text() {
    int first = position();
    int last = (int) Math.min(total - first, tail.length);
    byte[] kept = new byte[first + last];
    System.arraycopy(head, 0, kept, 0, first);
    for (int i = 0; i < last; i++) {
      kept[first + i] = tail[(int) ((total - head.length - last + i) % tail.length)];
    }
    return new String(kept, StandardCharsets.UTF_8);
  }
}

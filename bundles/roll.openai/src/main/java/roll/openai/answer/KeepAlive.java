package roll.openai.answer;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** What is said to a client, and when something was said last. */
final class KeepAlive implements AutoCloseable {
  private static final long SECOND = 1_000_000_000;

  private final OutputStream out;
  private long last = System.nanoTime();

  KeepAlive(OutputStream out) {
    this.out = out;
  }

  /** Says {@code text}. */
  void write(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
    last = System.nanoTime();
  }

  /** Says {@code nothing} where nothing was said for a second. */
  void beat(String nothing) throws IOException {
    if (System.nanoTime() - last >= SECOND) {
      write(nothing);
    }
  }

  /** Ends what is said. */
  @Override
  public void close() throws IOException {
    out.close();
  }
}

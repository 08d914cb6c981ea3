package roll.openai.answer;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes to a client and keeps an idle connection alive by a filler once a second. */
final class KeepAliveWriter implements AutoCloseable {
  private static final long SECOND = 1_000_000_000;

  private final OutputStream out;
  private long last = System.nanoTime();

  KeepAliveWriter(OutputStream out) {
    this.out = out;
  }

  /** Writes {@code text} to the client. */
  void write(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
    last = System.nanoTime();
  }

  /** Writes {@code nothing} to keep the connection alive if nothing was written for a second. */
  void beat(String nothing) throws IOException {
    if (System.nanoTime() - last >= SECOND) {
      write(nothing);
    }
  }

  /** Ends the response body. */
  @Override
  public void close() throws IOException {
    out.close();
  }
}

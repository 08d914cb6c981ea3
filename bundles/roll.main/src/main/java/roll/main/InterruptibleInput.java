package roll.main;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;
import org.jspecify.annotations.Nullable;

/**
 * An input whose blocking reads can be interrupted, unlike those of the process's standard input. A
 * thread copies the input from the first read on.
 */
final class InterruptibleInput extends InputStream {
  private static final byte[] END = {};
  private static final int CHUNK = 8192;

  private final InputStream in;
  private final BlockingQueue<byte[]> chunks = new SynchronousQueue<>();
  private volatile @Nullable IOException failure;
  private byte[] chunk = {};
  private int at;
  private boolean started;
  private boolean ended;

  /** Reads {@code in}, which the caller closes. */
  InterruptibleInput(InputStream in) {
    this.in = in;
  }

  @Override
  public synchronized int read() throws IOException {
    return filled() ? chunk[at++] & 0xff : -1;
  }

  @Override
  public synchronized int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!filled()) {
      return -1;
    }
    int count = Math.min(length, chunk.length - at);
    System.arraycopy(chunk, at, bytes, offset, count);
    at += count;
    return count;
  }

  @Override
  public synchronized int available() {
    return chunk.length - at;
  }

  private boolean filled() throws IOException {
    if (at < chunk.length) {
      return true;
    }
    if (!ended) {
      if (!started) {
        started = true;
        Thread.ofPlatform().daemon().name("roll-input").start(this::copy);
      }
      try {
        chunk = chunks.take();
      } catch (InterruptedException e) {
        throw new InterruptedIOException("interrupted while waiting for input");
      }
      at = 0;
      ended = chunk.length == 0;
    }
    IOException broken = failure;
    if (ended && broken != null) {
      throw broken;
    }
    return !ended;
  }

  private void copy() {
    byte[] buffer = new byte[CHUNK];
    try {
      try {
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
          chunks.put(Arrays.copyOf(buffer, count));
        }
      } catch (IOException e) {
        failure = e;
      }
      chunks.put(END);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // cannot happen
    }
  }
}

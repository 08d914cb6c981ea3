package roll.http;

import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/** The bytes of bodies that are held at once. */
final class BodyBudget {
  private long free;

  BodyBudget(int bytes) {
    free = bytes;
  }

  /** Whether there is room for {@code bytes} more, which are then taken. */
  synchronized boolean take(int bytes) {
    if (free < bytes) {
      return false;
    }
    free -= bytes;
    return true;
  }

  synchronized void giveBack(int bytes) {
    if (bytes > 0) {
      free += bytes;
      notifyAll();
    }
  }

  /** Waits until something is given back, a tenth of a second at most. */
  synchronized void await() throws InterruptedIOException {
    try {
      TimeUnit.MILLISECONDS.timedWait(this, 100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }
}

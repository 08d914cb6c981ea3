package roll.env.remote;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import roll.bridge.PeerException;

/**
 * How many episodes may ask one server of OpenEnv for a session at once. What it has, it tells when
 * it refuses one; from then on no more ask than may succeed, since hundreds that ask again and
 * again would leave it no time to play.
 */
final class SessionLimit {
  private static final long LOOK = TimeUnit.SECONDS.toNanos(1);

  private final String shown;
  private int most = Integer.MAX_VALUE;
  private int admitted;
  private int begun;
  private long progress = System.nanoTime();

  /** Those of the server {@code shown}, which has not refused anybody. */
  SessionLimit(String shown) {
    this.shown = shown;
  }

  /**
   * Waits until one more episode may ask.
   *
   * @param since when the episode began to wait
   * @throws PeerException if for {@code patience} nothing happens that could let it
   */
  synchronized void acquire(long since, Duration patience) {
    while (admitted >= most) {
      if (late(since, patience)) {
        throw PeerException.refused(
            "%s is full: none of the episodes that it plays (%d) took a step for %s s"
                .formatted(shown, begun, patience.toMillis() / 1e3));
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, Math.min(LOOK, Math.max(1, patience.toNanos() / 4)));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw PeerException.ended("interrupted while " + shown + " was full");
      }
    }
    admitted++;
  }

  /** Whether nothing has happened for {@code patience}, counted from {@code since} at least. */
  synchronized boolean late(long since, Duration patience) {
    long now = System.nanoTime();
    return Math.min(now - since, now - progress) > patience.toNanos();
  }

  /**
   * The server refused an episode that was let ask.
   *
   * @param told how many there are, or 0 where it does not say
   * @return whether the episode may ask again; else it waits for others to end
   */
  synchronized boolean retains(int told) {
    most = Math.max(1, told > 0 ? told : begun);
    if (admitted <= most) {
      return true;
    }
    admitted--;
    return false;
  }

  /** An episode began; where the server does not say how many may, one more may try. */
  synchronized void begun() {
    begun++;
    if (most <= begun) {
      most = begun + 1;
      notifyAll();
    }
    progress();
  }

  /** An episode took a step. */
  synchronized void progress() {
    progress = System.nanoTime();
  }

  /** An episode that was let ask is over; it {@code hadBegun} or not. */
  synchronized void release(boolean hadBegun) {
    admitted--;
    begun -= hadBegun ? 1 : 0;
    progress();
    notifyAll();
  }
}

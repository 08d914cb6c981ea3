package roll.env.remote;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import roll.bridge.PeerException;

/**
 * The sessions that one server of OpenEnv has. How many, it tells when it refuses one; from then on
 * no more episodes ask than may succeed, since hundreds that ask again and again would leave it no
 * time to play.
 */
final class OpenEnvSeats {
  private static final long LOOK = TimeUnit.SECONDS.toNanos(1);

  private final String shown;
  private int most = Integer.MAX_VALUE;
  private int taken;
  private int begun;
  private long progress = System.nanoTime();

  /** Those of the server {@code shown}, which has not refused anybody. */
  OpenEnvSeats(String shown) {
    this.shown = shown;
  }

  /**
   * Waits for a seat.
   *
   * @param since when the episode began to wait
   * @throws PeerException if for {@code patience} nothing happens that could free one
   */
  synchronized void take(long since, Duration patience) {
    while (taken >= most) {
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
    taken++;
  }

  /** Whether nothing has happened for {@code patience}, counted from {@code since} at least. */
  synchronized boolean late(long since, Duration patience) {
    long now = System.nanoTime();
    return Math.min(now - since, now - progress) > patience.toNanos();
  }

  /**
   * The server refused an episode that has a seat.
   *
   * @param told how many there are, or 0 where it does not say
   * @return whether the episode keeps its seat, and may ask again; others are in its way else
   */
  synchronized boolean keeps(int told) {
    most = Math.max(1, told > 0 ? told : begun);
    if (taken <= most) {
      return true;
    }
    taken--;
    return false;
  }

  /** An episode began in its seat; where it is not told how many there are, one more may try. */
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

  /** A seat is free, of an episode that had {@code begun} or not. */
  synchronized void leave(boolean hadBegun) {
    taken--;
    begun -= hadBegun ? 1 : 0;
    progress();
    notifyAll();
  }
}

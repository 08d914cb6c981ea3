package roll.env.remote;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import roll.bridge.PeerException;

/**
 * Limit of the episodes that request a session of one OpenEnv server concurrently. The server
 * reports its number of sessions when it refuses one; then only that many episodes are admitted,
 * since hundreds of retrying ones would overload it.
 */
final class SessionLimit {
  private static final long LOOK = TimeUnit.SECONDS.toNanos(1);

  private final String shown;
  private int most = Integer.MAX_VALUE;
  private int admitted;
  private int begun;
  private long progress = System.nanoTime();

  /**
   * Creates the limit of the server {@code shown}, which is unlimited until it refuses a session.
   */
  SessionLimit(String shown) {
    this.shown = shown;
  }

  /**
   * Waits until one more episode is admitted.
   *
   * @param since start of the waiting
   * @throws PeerException if no episode makes progress for {@code patience}
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

  /** Whether there was no progress for {@code patience} since {@code since}. */
  synchronized boolean late(long since, Duration patience) {
    long now = System.nanoTime();
    return Math.min(now - since, now - progress) > patience.toNanos();
  }

  /**
   * The server has refused an admitted episode.
   *
   * @param told number of sessions of the server, or 0 if unknown
   * @return whether the episode stays admitted; otherwise it waits for others to end
   */
  synchronized boolean retains(int told) {
    most = Math.max(1, told > 0 ? told : begun);
    if (admitted <= most) {
      return true;
    }
    admitted--;
    return false;
  }

  /** An episode has started; if the number of sessions is unknown, one more is admitted. */
  synchronized void begun() {
    begun++;
    if (most <= begun) {
      most = begun + 1;
      notifyAll();
    }
    progress();
  }

  /** Reports that an episode has made a step. */
  synchronized void progress() {
    progress = System.nanoTime();
  }

  /** An admitted episode has ended. */
  synchronized void release(boolean hadBegun) {
    admitted--;
    begun -= hadBegun ? 1 : 0;
    progress();
    notifyAll();
  }
}

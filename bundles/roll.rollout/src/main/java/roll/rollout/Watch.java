package roll.rollout;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Looks, on a platform thread of its own, for environments that take too long: their attempts are
 * closed and their threads interrupted. A virtual thread could not look while environments keep all
 * carriers busy.
 */
final class Watch implements AutoCloseable {
  private static final long LONGEST_PAUSE = 250;

  private final double seconds;
  private final Consumer<Ended> report;
  private final Set<Attempt> attempts = ConcurrentHashMap.newKeySet();
  private final Carriers carriers = new Carriers();
  private final Thread thread;

  /**
   * A watch.
   *
   * @param seconds that a call may take; 0 for ever
   * @param report is told of attempts that hung
   */
  Watch(double seconds, Consumer<Ended> report) {
    this.seconds = seconds;
    this.report = report;
    thread = Thread.ofPlatform().daemon().name("roll.rollout watch").unstarted(this::look);
    if (seconds > 0) {
      thread.start();
    }
  }

  /** Begins to look at {@code attempt}. */
  void add(Attempt attempt) {
    attempts.add(attempt);
  }

  /** Looks at {@code attempt} no longer. */
  void remove(Attempt attempt) {
    attempts.remove(attempt);
  }

  private void look() {
    long pause = Math.clamp((long) (seconds * 1000 / 8), 1, LONGEST_PAUSE);
    try {
      while (true) {
        Thread.sleep(pause);
        attempts.forEach(this::look);
        carriers.wake();
      }
    } catch (InterruptedException e) { // closed
      return;
    }
  }

  private void look(Attempt attempt) {
    String call = attempt.call();
    Thread stuck = attempt.thread();
    if (stuck == null || attempt.inCallFor() < seconds * 1e9 || !attempt.close()) {
      return;
    }
    attempts.remove(attempt);
    EnvironmentException hung = EnvironmentException.hung(call, seconds, stuck);
    carriers.replaceCarrierOf(stuck);
    attempt.giveBackPermits();
    attempt.interrupt();
    report.accept(new Ended(attempt, null, hung));
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}

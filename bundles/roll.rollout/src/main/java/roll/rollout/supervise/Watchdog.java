package roll.rollout.supervise;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import roll.api.option.UserException;
import roll.api.plugin.OneShotTask;
import roll.runtime.config.EnvMonitorConfig;

/**
 * Enforces the time limits of environment calls: closes the attempt and interrupts its thread. It
 * runs on a platform thread, since environments may occupy all carriers of virtual threads.
 */
public final class Watchdog implements AutoCloseable {
  private static final long LONGEST_PAUSE = 250;

  private final EnvMonitorConfig monitor;
  private final Consumer<AttemptResult> report;
  private final Set<Attempt> attempts = ConcurrentHashMap.newKeySet();
  private final CarrierThreads carriers = new CarrierThreads();
  private final Thread thread;

  /**
   * Creates a watchdog.
   *
   * @param monitor time limits of calls
   * @param report receives attempts that hung
   */
  public Watchdog(EnvMonitorConfig monitor, Consumer<AttemptResult> report) {
    this.monitor = monitor;
    this.report = report;
    thread =
        Thread.ofPlatform()
            .daemon()
            .name("roll.rollout watchdog")
            .unstarted(new OneShotTask(this::look));
    if (shortest() < Double.POSITIVE_INFINITY) {
      thread.start();
    }
  }

  /** Starts enforcing the time limits of {@code attempt}. */
  public void add(Attempt attempt) {
    attempts.add(attempt);
  }

  /** Stops enforcing the time limits of {@code attempt}. */
  public void remove(Attempt attempt) {
    attempts.remove(attempt);
  }

  private double shortest() {
    return DoubleStream.of(monitor.hungTimeout(), monitor.rewardTimeout())
        .filter(seconds -> seconds > 0)
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }

  private void look() {
    long pause = Math.clamp((long) (shortest() * 1000 / 8), 1, LONGEST_PAUSE);
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
    double seconds = attempt.timeout(monitor);
    boolean late = seconds > 0 && attempt.inCallFor() >= seconds * 1e9;
    if (stuck == null || !late || !attempt.close()) {
      return;
    }
    attempts.remove(attempt);
    EnvironmentException hung = EnvironmentException.hung(call, seconds, stuck);
    carriers.replaceCarrierOf(stuck);
    attempt.giveBackPermits();
    attempt.interrupt();
    report.accept(
        carriers.exhausted()
            ? new AttemptResult(attempt, null, tooMany(hung))
            : new AttemptResult(attempt, attempt.ungraded(), hung));
  }

  /** Returns the failure of the run: such threads end only with the process. */
  private static UserException tooMany(EnvironmentException last) {
    return new UserException(
        last.getMessage()
            + " and so did many other calls, whose threads still occupy the processors;"
            + " fix the environment and restart roll",
        last);
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}

package roll.rollout.supervise;

import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;
import roll.api.option.UserException;
import roll.api.plugin.OneShotTask;
import roll.runtime.config.EnvMonitorConfig;

/**
 * One attempt at an episode, on a thread of its own. The first to close it says how it ended: its
 * own thread, the {@link Watchdog}, or the rollout that no longer needs it.
 */
public final class Attempt {
  private final EpisodeSlot slot;
  private final int number;
  private final EpisodePermit stepping;
  private final EpisodePermit playing;
  private final ResponseReplay replay;
  private final AtomicBoolean open = new AtomicBoolean(true);
  private volatile @Nullable Thread thread;
  private volatile String call = "";
  private volatile long callSince;
  private volatile @Nullable Trajectory ungraded;

  /**
   * An attempt that is not yet begun.
   *
   * @param number of the attempt, from 0
   * @param stepping for calls of the tag's environments that are work
   * @param playing for the whole episode
   * @param replay what it will be answered
   */
  public Attempt(
      EpisodeSlot slot,
      int number,
      EpisodePermit stepping,
      EpisodePermit playing,
      ResponseReplay replay) {
    this.slot = slot;
    this.number = number;
    this.stepping = stepping;
    this.playing = playing;
    this.replay = replay;
  }

  /** Which episode it plays. */
  public EpisodeSlot slot() {
    return slot;
  }

  /** Number of the attempt, from 0. */
  public int number() {
    return number;
  }

  /** What it was answered so far. */
  public ResponseReplay replay() {
    return replay;
  }

  /** Begins: {@code episode} runs on a thread of its own. */
  public void start(Runnable episode) {
    Thread begun = Thread.ofVirtual().name(slot.toString()).unstarted(new OneShotTask(episode));
    thread = begun;
    begun.start();
  }

  /** Whether it has not ended. */
  public boolean isOpen() {
    return open.get();
  }

  /** Whether the caller is the first to say how it ended. */
  public boolean close() {
    return open.compareAndSet(true, false);
  }

  /** Its thread, or null before it began. */
  public @Nullable Thread thread() {
    return thread;
  }

  /** Lets its thread know that it is no longer needed. */
  public void interrupt() {
    Thread running = thread;
    if (running != null) {
      running.interrupt();
    }
  }

  /** Which call of the environment its thread is in; empty where it is in none. */
  String call() {
    return call;
  }

  /** Nanoseconds that its thread has been in a call of the environment. */
  public long inCallFor() {
    return call.isEmpty() ? 0 : System.nanoTime() - callSince;
  }

  /** Calls the environment, and makes an {@link EnvironmentException} of whatever it throws. */
  <T> T ask(String name, Supplier<T> question) {
    if (!open.get()) {
      throw new CancellationException(slot + " has ended");
    }
    return call(name, question);
  }

  /**
   * Calls what rewards the episode, its last call.
   *
   * @param ungraded what the episode is without a verdict
   */
  public <T> T reward(String name, Trajectory ungraded, Supplier<T> question) {
    this.ungraded = ungraded;
    return ask(name, question);
  }

  /** What the episode is without a verdict, once its thread calls what rewards it; else null. */
  @Nullable Trajectory ungraded() {
    return ungraded;
  }

  /** Seconds that the call its thread is in may take; 0 for ever. */
  double patience(EnvMonitorConfig monitor) {
    return ungraded != null ? monitor.rewardTimeout() : monitor.hungTimeout();
  }

  /** Waits, within a call, for what is not the environment's work: the time does not count. */
  public <T> T pausing(Wait<T> wait) throws InterruptedException {
    String interrupted = call;
    call = "";
    try {
      return wait.get();
    } finally {
      callSince = System.nanoTime();
      call = interrupted;
    }
  }

  /** Calls the environment even when the attempt has ended. */
  void finish(String name, Runnable last) {
    call(
        name,
        () -> {
          last.run();
          return true;
        });
  }

  private <T> T call(String name, Supplier<T> question) {
    callSince = System.nanoTime();
    call = name;
    try {
      T answer = question.get();
      if (answer == null) {
        throw EnvironmentException.gave(name, "null");
      }
      interrupted(name);
      return answer;
    } catch (UserException | EnvironmentException | ModelFailure e) {
      interruptedToo();
      throw e;
    } catch (Throwable e) { // an environment may throw anything
      interruptedToo();
      throw EnvironmentException.threw(name, e);
    } finally {
      call = "";
    }
  }

  /**
   * Whoever ends an attempt closes it before the thread is interrupted: while it is open, only the
   * call itself can have set the flag, and the wait for the next response must not end by it.
   */
  private void interrupted(String name) {
    if (open.get() && Thread.interrupted()) {
      if (open.get()) {
        throw EnvironmentException.interrupted(name);
      }
      Thread.currentThread().interrupt();
    }
  }

  private void interruptedToo() {
    if (open.get() && Thread.interrupted() && !open.get()) {
      Thread.currentThread().interrupt();
    }
  }

  /** The same for a call that is work for the environment; waits for a permit first. */
  <T> T work(String name, Supplier<T> question) {
    stepping.take();
    try {
      return ask(name, question);
    } finally {
      stepping.giveBack();
    }
  }

  /** Waits, on the episode's thread, until it may be played. */
  public void enter() throws InterruptedException {
    playing.takeInterruptibly();
  }

  /** Lets others step and play, also where a call that has a permit never returns. */
  public void giveBackPermits() {
    stepping.giveBack();
    playing.giveBack();
  }

  /** What an attempt waits for. */
  @FunctionalInterface
  public interface Wait<T> {
    /** What was waited for. */
    T get() throws InterruptedException;
  }
}

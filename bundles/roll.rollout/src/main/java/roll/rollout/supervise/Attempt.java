package roll.rollout.supervise;

import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;
import roll.api.option.UserException;
import roll.api.plugin.OneShotTask;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.trace.Span;
import roll.runtime.trace.TraceScope;

/**
 * One attempt at an episode, on its own thread. Its result is decided by the first to close it: its
 * thread, the {@link Watchdog}, or the rollout that no longer needs it.
 */
public final class Attempt {
  /** Name of the call that begins an episode. */
  static final String RESET = "reset";

  private final EpisodeSlot slot;
  private final int number;
  private final EpisodePermit stepping;
  private final EpisodePermit playing;
  private final ResponseReplay replay;
  private final EpisodeTrace trace;
  private final EpisodeTimes times = new EpisodeTimes(System::nanoTime);
  private final AtomicBoolean open = new AtomicBoolean(true);
  private volatile @Nullable Thread thread;
  private volatile String call = "";
  private volatile long callSince;
  private volatile @Nullable Trajectory ungraded;

  /**
   * Creates an attempt that has not started.
   *
   * @param number of the attempt, from 0
   * @param stepping limits concurrent {@code reset} and {@code step} calls of the tag
   * @param playing limits concurrent episodes
   * @param replay responses of the previous attempt
   * @param scope begins the span of the attempt
   */
  public Attempt(
      EpisodeSlot slot,
      int number,
      EpisodePermit stepping,
      EpisodePermit playing,
      ResponseReplay replay,
      TraceScope scope) {
    this.slot = slot;
    this.number = number;
    this.stepping = stepping;
    this.playing = playing;
    this.replay = replay;
    this.trace = EpisodeTrace.begin(scope, slot, number);
  }

  /** Creates an attempt that records no spans. */
  public Attempt(
      EpisodeSlot slot,
      int number,
      EpisodePermit stepping,
      EpisodePermit playing,
      ResponseReplay replay) {
    this(slot, number, stepping, playing, replay, TraceScope.NONE);
  }

  /** Returns the slot of the attempt's episode. */
  public EpisodeSlot slot() {
    return slot;
  }

  /** Returns the number of the attempt, from 0. */
  public int number() {
    return number;
  }

  /** Returns the recorded responses of the attempt. */
  public ResponseReplay replay() {
    return replay;
  }

  /** Returns the spans of the attempt. */
  public EpisodeTrace trace() {
    return trace;
  }

  /** Returns the times of the activities since the last response. */
  public EpisodeTimes times() {
    return times;
  }

  /** Runs {@code episode} on a new thread. */
  public void start(Runnable episode) {
    Thread begun = Thread.ofVirtual().name(slot.toString()).unstarted(new OneShotTask(episode));
    thread = begun;
    begun.start();
  }

  /** Returns whether the attempt has not ended. */
  public boolean isOpen() {
    return open.get();
  }

  /** Closes the attempt; returns whether the caller is the first to do so. */
  public boolean close() {
    return open.compareAndSet(true, false);
  }

  /** Returns the attempt's thread, or null before the start. */
  public @Nullable Thread thread() {
    return thread;
  }

  /** Interrupts the attempt's thread. */
  public void interrupt() {
    Thread running = thread;
    if (running != null) {
      running.interrupt();
    }
  }

  /** Returns the name of the environment call in progress; empty without one. */
  String call() {
    return call;
  }

  /** Returns the nanoseconds since the environment call in progress began; 0 without one. */
  public long inCallFor() {
    return call.isEmpty() ? 0 : System.nanoTime() - callSince;
  }

  /** Calls the environment; anything it throws becomes an {@link EnvironmentException}. */
  <T> T ask(String name, Supplier<T> question) {
    if (!open.get()) {
      throw new CancellationException(slot + " has ended");
    }
    return call(name, question);
  }

  /**
   * Calls the rewards, the last call of the episode.
   *
   * @param ungraded the trajectory if grading fails
   */
  public <T> T reward(String name, Trajectory ungraded, Supplier<T> question) {
    this.ungraded = ungraded;
    return trace.reward().around(() -> ask(name, question));
  }

  /** Returns the trajectory if grading fails; null before the rewards are called. */
  @Nullable Trajectory ungraded() {
    return ungraded;
  }

  /** Returns the time limit of the call in progress, in seconds; 0 for no limit. */
  double timeout(EnvMonitorConfig monitor) {
    return ungraded != null ? monitor.rewardTimeout() : monitor.hungTimeout();
  }

  /** Waits within a call; the time does not count toward its limit. */
  public <T> T pausing(Wait<T> wait) throws InterruptedException {
    String interrupted = call;
    times.add(activity(interrupted), callSince);
    call = "";
    try {
      return wait.get();
    } finally {
      callSince = System.nanoTime();
      call = interrupted;
    }
  }

  /** Calls the environment even if the attempt has ended. */
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
        throw EnvironmentException.invalid(name, "null");
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
      times.add(activity(name), callSince);
      call = "";
    }
  }

  private EpisodeActivity activity(String name) {
    return ungraded != null
        ? EpisodeActivity.REWARD
        : name.equals(RESET) ? EpisodeActivity.RESET : EpisodeActivity.ENVIRONMENT;
  }

  /**
   * Clears an interrupt flag that the call itself set. An attempt is closed before its thread is
   * interrupted, so while it is open the flag comes from the call and must not end the next wait.
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

  /** Like {@link #ask}, for {@code reset} and {@code step}; waits for a permit first. */
  <T> T work(String name, Supplier<T> question) {
    Span span = trace.environment(name);
    return span.around(
        () -> {
          stepping.take(span);
          try {
            return ask(name, question);
          } finally {
            stepping.giveBack();
          }
        });
  }

  /** Waits, on the episode's thread, for the permit to play. */
  public void enter() throws InterruptedException {
    playing.takeInterruptibly(trace.episode());
  }

  /** Releases the permits, even if a call that holds one never returns. */
  public void giveBackPermits() {
    stepping.giveBack();
    playing.giveBack();
  }

  /** A wait of an attempt. */
  @FunctionalInterface
  public interface Wait<T> {
    /** Returns the result of the wait. */
    T get() throws InterruptedException;
  }
}

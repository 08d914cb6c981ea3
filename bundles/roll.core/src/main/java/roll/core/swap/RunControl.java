package roll.core.swap;

import java.util.ArrayList;
import java.util.List;
import roll.runtime.config.LoadedConfig;

/** What a run is asked to do, from any thread: stop, pause, resume, or go on with other plugins. */
public final class RunControl {
  private final List<String> swaps = new ArrayList<>();
  private Draft wanted;
  private boolean news;
  private boolean stop;
  private boolean pause;

  /** Nothing but to run as {@code config} says. */
  public RunControl(LoadedConfig config) {
    this.wanted = new Draft(0, config);
  }

  /**
   * A configuration that may be changed further.
   *
   * @param number grows with each change
   */
  record Draft(int number, LoadedConfig config) {}

  /**
   * A configuration to take over at the next boundary.
   *
   * @param config the whole of it
   * @param swaps one line for each plugin that was replaced since the last boundary
   */
  record Change(LoadedConfig config, List<String> swaps) {}

  /** Has the run save and end after the step under way. */
  public synchronized void stop() {
    stop = true;
    tell();
  }

  /** Has the run wait after the step under way, or go on where {@code wait} is false. */
  public synchronized void pause(boolean wait) {
    pause = wait;
    tell();
  }

  private synchronized void tell() {
    news = true;
    notifyAll();
  }

  /** Whether the run is to end. */
  public synchronized boolean stopped() {
    return stop;
  }

  /** Whether the run is to wait. */
  synchronized boolean paused() {
    return pause && !stop;
  }

  /** The configuration as it will be after the next boundary. */
  synchronized Draft wanted() {
    return wanted;
  }

  /**
   * From the next boundary on {@code config} is what counts.
   *
   * @return false if another change was faster than this one, which was made of {@code before}
   */
  synchronized boolean change(Draft before, LoadedConfig config, String swap) {
    if (before.number() != wanted.number()) {
      return false;
    }
    wanted = new Draft(before.number() + 1, config);
    swaps.add(swap);
    tell();
    return true;
  }

  /** What changed since this was last asked. */
  synchronized Change changes() {
    Change change = new Change(wanted.config(), List.copyOf(swaps));
    swaps.clear();
    return change;
  }

  /** Waits for a request, {@code millis} milliseconds at most. */
  synchronized void await(long millis) throws InterruptedException {
    long deadline = System.nanoTime() + millis * 1_000_000;
    long left = millis;
    while (!news && left > 0) {
      wait(left);
      left = (deadline - System.nanoTime()) / 1_000_000;
    }
    news = false;
  }
}

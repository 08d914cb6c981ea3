package roll.core.swap;

import java.util.ArrayList;
import java.util.List;
import roll.runtime.config.LoadedConfig;

/** Requests to a run, from any thread: stop, pause, resume, or continue with other plugins. */
public final class RunControl {
  private final List<String> swaps = new ArrayList<>();
  private Draft wanted;
  private boolean news;
  private boolean stop;
  private boolean pause;

  /** No requests; the run starts with {@code config}. */
  public RunControl(LoadedConfig config) {
    this.wanted = new Draft(0, config);
  }

  /**
   * A configuration that may be changed further.
   *
   * @param number increases with each change
   */
  record Draft(int number, LoadedConfig config) {}

  /**
   * A configuration change that takes effect at the next step boundary.
   *
   * @param config the complete configuration
   * @param swaps one line for each plugin that was replaced since the last boundary
   */
  record Change(LoadedConfig config, List<String> swaps) {}

  /** Requests a checkpoint and the end of the run after the current step. */
  public synchronized void stop() {
    stop = true;
    tell();
  }

  /** Pauses the run after the current step, or resumes it if {@code wait} is false. */
  public synchronized void pause(boolean wait) {
    pause = wait;
    tell();
  }

  private synchronized void tell() {
    news = true;
    notifyAll();
  }

  /** Whether the run was asked to end. */
  public synchronized boolean stopped() {
    return stop;
  }

  /** Whether the run was asked to pause. */
  synchronized boolean paused() {
    return pause && !stop;
  }

  /** Returns the configuration that takes effect at the next step boundary. */
  synchronized Draft wanted() {
    return wanted;
  }

  /**
   * Replaces the configuration by {@code config} from the next boundary on.
   *
   * @return false if another change was made since {@code before}, on which this one is based
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

  /** Returns the configuration changes since the last call. */
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

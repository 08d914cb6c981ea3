package roll.ui.web;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One subscriber of the event stream with its pending events: of each topic only the newest, so
 * that memory is bounded. One thread offers events, another writes them.
 */
final class EventSubscriber {
  private final Thread thread;
  private final Map<String, String> pending = new LinkedHashMap<>();
  private boolean fresh = true;
  private long writingSince;

  /**
   * Creates a subscriber without pending events.
   *
   * @param thread writes to it
   */
  EventSubscriber(Thread thread) {
    this.thread = thread;
  }

  /** Returns true on the first call, then false. */
  synchronized boolean fresh() {
    boolean was = fresh;
    fresh = false;
    return was;
  }

  /** Adds {@code event}, which replaces a pending event of the same topic. */
  synchronized void offer(String topic, String event) {
    pending.put(topic, event);
    notifyAll();
  }

  /**
   * Removes and returns the pending events, which the caller writes; empty if there are none for
   * {@code millis} milliseconds.
   */
  synchronized String next(long millis) throws InterruptedException {
    writingSince = 0;
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = millis; pending.isEmpty() && left > 0; ) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    }
    String all = String.join("", pending.values());
    pending.clear();
    writingSince = System.nanoTime();
    return all;
  }

  /**
   * Disconnects the subscriber if the current write takes longer than {@code nanos} nanoseconds.
   */
  synchronized void disconnectIfSlow(long nanos) {
    if (writingSince != 0 && System.nanoTime() - writingSince > nanos) {
      thread.interrupt();
    }
  }
}

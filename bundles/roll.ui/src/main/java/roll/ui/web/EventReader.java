package roll.ui.web;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One reader of the events: what it has not been told yet, of each thing only the newest, so that
 * there is never more than one event a thing. Written to by one thread, offered by another.
 */
final class EventReader {
  private final Thread thread;
  private final Map<String, String> pending = new LinkedHashMap<>();
  private boolean fresh = true;
  private long writingSince;

  /**
   * A reader that knows nothing.
   *
   * @param thread writes to it
   */
  EventReader(Thread thread) {
    this.thread = thread;
  }

  /** Whether this is asked for the first time. */
  synchronized boolean fresh() {
    boolean was = fresh;
    fresh = false;
    return was;
  }

  /** It is to be told {@code event} of {@code thing}, in place of what it was not told yet. */
  synchronized void offer(String thing, String event) {
    pending.put(thing, event);
    notifyAll();
  }

  /**
   * What it has not been told yet, which is then being written; empty if there is nothing for
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

  /** Cuts it off if it has not taken what is being written for {@code nanos} nanoseconds. */
  synchronized void cutOff(long nanos) {
    if (writingSince != 0 && System.nanoTime() - writingSince > nanos) {
      thread.interrupt();
    }
  }
}

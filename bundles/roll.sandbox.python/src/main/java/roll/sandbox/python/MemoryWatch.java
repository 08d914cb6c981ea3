package roll.sandbox.python;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds programs that exceed their memory limit. Java counts what a thread ever allocated, not what
 * of it is still in use: a program is a suspect once it has allocated its limit. A garbage
 * collection is asked for when a suspect
 *
 * <ul>
 *   <li>allocated its limit between two looks, as a single huge object does;
 *   <li>allocated it since the latest collection that was asked for, a second ago or more; or
 *   <li>is the one that allocated most, and after the latest collection more was in use than before
 *       by the limits of all suspects together, or hardly any room was left in the heap.
 * </ul>
 *
 * It is stopped if that collection shows the last: an ordinary one leaves garbage, too.
 */
final class MemoryWatch {
  private static final long PAUSE_NANOS = 1_000_000_000;
  private static final double FULL = 0.8;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class);
  private final Set<Program> suspects = ConcurrentHashMap.newKeySet();
  private final Set<Stopped> stopped = ConcurrentHashMap.newKeySet();

  /** A suspect that is ending or has ended, and the memory in use without it. */
  private record Stopped(Thread thread, long least) {
    boolean ended() {
      return !thread.isAlive();
    }
  }

  /**
   * Watches {@code thread}, which will run a program of at most {@code limit} bytes. Memory of
   * ended programs is collected first, and new programs wait for that, so that none is measured
   * against memory about to be freed.
   */
  synchronized Program watch(Thread thread, long limit) {
    if (stopped.removeIf(Stopped::ended)) {
      System.gc();
    }
    return new Program(thread, limit);
  }

  /** Returns the bytes in use after the latest garbage collection, or now if there was none. */
  private long used() {
    GcInfo latest = null;
    for (GarbageCollectorMXBean collector : collectors) {
      GcInfo info = collector.getLastGcInfo();
      if (info != null && (latest == null || info.getEndTime() > latest.getEndTime())) {
        latest = info;
      }
    }
    return latest == null
        ? ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
        : latest.getMemoryUsageAfterGc().values().stream().mapToLong(MemoryUsage::getUsed).sum();
  }

  /** A running program, used by the thread that supervises it. */
  final class Program implements AutoCloseable {
    private final Thread thread;
    private final long limit;

    /** Programs still ending when this one began, whose memory counted as in use. */
    private final List<Stopped> ending = List.copyOf(stopped);

    private volatile long allocated;
    private long checked;
    private long checkedAt = System.nanoTime() - PAUSE_NANOS;
    private long least = used();

    private Program(Thread thread, long limit) {
      this.thread = thread;
      this.limit = limit;
    }

    /** Returns whether the program exceeds its memory limit; called every few milliseconds. */
    boolean tooMuch() {
      long total = Math.max(allocated, threads.getThreadAllocatedBytes(thread.threadId()));
      boolean huge = total - allocated >= limit;
      allocated = total;
      if (total < limit) {
        return false;
      }
      suspects.add(this);
      return (huge || overdue() || grown()) && stillGrown();
    }

    /**
     * Returns whether the watched program has allocated its limit again since the latest full
     * collection for it.
     */
    private boolean overdue() {
      return allocated - checked >= limit && System.nanoTime() - checkedAt > PAUSE_NANOS;
    }

    /**
     * Returns whether the heap has still grown after a full collection, which leaves no garbage.
     */
    private boolean stillGrown() {
      checked = allocated;
      synchronized (suspects) {
        System.gc();
        checkedAt = System.nanoTime();
        return grown();
      }
    }

    private boolean grown() {
      long used = used();
      least = Math.min(least, used);
      for (Stopped before : ending) {
        if (before.ended()) {
          least = Math.min(least, before.least);
        }
      }
      long allowed = suspects.stream().mapToLong(suspect -> suspect.limit).sum();
      boolean full = used > FULL * Runtime.getRuntime().maxMemory();
      return (full || used - least >= allowed)
          && suspects.stream().allMatch(suspect -> suspect.allocated <= allocated);
    }

    /** Ends the watch after the program was canceled; its memory is freed when it ends. */
    @Override
    public void close() {
      if (suspects.remove(this)) {
        stopped.add(new Stopped(thread, least));
      }
    }
  }
}

package roll.rollout.supervise;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.management.VirtualThreadSchedulerMXBean;

/**
 * The platform threads that carry virtual ones. A virtual thread that computes without an end keeps
 * its carrier, and nothing can stop it: a few of its kind would bring all others to a halt.
 */
public final class CarrierThreads {
  private static final int MOST_LOST_PER_CORE = 16;
  private static final int MOST_LOST = 128; // the JVM allows 256 carriers

  private final AtomicInteger lost = new AtomicInteger();

  /**
   * Lets the JVM use one carrier more as long as {@code stuck} keeps its own. A thread that only
   * waits has none.
   */
  public void replaceCarrierOf(Thread stuck) {
    if (stuck.isVirtual() && stuck.getState() == Thread.State.RUNNABLE) {
      lost.incrementAndGet();
      add(1);
      Thread.ofPlatform().daemon().name("roll.rollout carrier").start(() -> takeBackAfter(stuck));
    }
  }

  /**
   * Whether so many threads compute without an end, in all rollouts, that those which do not would
   * hardly get on, and seem to hang too.
   */
  boolean exhausted() {
    int cores = Runtime.getRuntime().availableProcessors();
    return scheduler().getParallelism() - cores >= most(cores);
  }

  /** How many may be lost on so many cores. */
  static int most(int cores) {
    return Math.min(MOST_LOST, MOST_LOST_PER_CORE * cores);
  }

  /**
   * Makes the scheduler look whether it has carriers enough, which it does when a thread becomes
   * ready and the queue that its starter puts it in is empty: threads that were ready before are
   * not looked at again when the number of carriers is raised.
   */
  public void wake() {
    if (lost.get() > 0) {
      Thread.ofPlatform().daemon().start(() -> Thread.startVirtualThread(() -> {}));
    }
  }

  private void takeBackAfter(Thread stuck) {
    try {
      stuck.join();
      lost.decrementAndGet();
      add(-1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void add(int carriers) {
    VirtualThreadSchedulerMXBean scheduler = scheduler();
    synchronized (CarrierThreads.class) {
      scheduler.setParallelism(scheduler.getParallelism() + carriers);
    }
  }

  private static VirtualThreadSchedulerMXBean scheduler() {
    return ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
  }
}

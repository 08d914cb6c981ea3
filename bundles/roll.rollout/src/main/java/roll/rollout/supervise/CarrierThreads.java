package roll.rollout.supervise;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.management.VirtualThreadSchedulerMXBean;

/**
 * The carrier threads of virtual threads. A virtual thread in an endless computation occupies its
 * carrier and cannot be stopped; a few of them would block all others.
 */
public final class CarrierThreads {
  private static final int MOST_LOST_PER_CORE = 16;
  private static final int MOST_LOST = 128; // the JVM allows 256 carriers

  private final AtomicInteger lost = new AtomicInteger();

  /** Adds a carrier thread while {@code stuck} occupies its own. A waiting thread has none. */
  public void replaceCarrierOf(Thread stuck) {
    if (stuck.isVirtual() && stuck.getState() == Thread.State.RUNNABLE) {
      lost.incrementAndGet();
      add(1);
      Thread.ofPlatform().daemon().name("roll.rollout carrier").start(() -> takeBackAfter(stuck));
    }
  }

  /**
   * Returns whether endless computations, of all rollouts, occupy so many threads that other
   * episodes would seem to hang.
   */
  boolean exhausted() {
    int cores = Runtime.getRuntime().availableProcessors();
    return scheduler().getParallelism() - cores >= most(cores);
  }

  /** Returns the maximum number of occupied carriers on {@code cores}. */
  static int most(int cores) {
    return Math.min(MOST_LOST, MOST_LOST_PER_CORE * cores);
  }

  /**
   * Makes the scheduler use its added carriers. It starts a carrier only when a thread becomes
   * runnable and is put in an empty queue; raising the parallelism alone does not run threads that
   * are already queued.
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

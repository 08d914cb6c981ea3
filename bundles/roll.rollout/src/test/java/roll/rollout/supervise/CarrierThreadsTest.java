package roll.rollout.supervise;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that compute without an end take carriers, but not without an end. */
@NullMarked
@Timeout(60)
class CarrierThreadsTest {
  @Test
  void areExhaustedByManyAndComeBack() throws InterruptedException {
    var scheduler = ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
    CarrierThreads carriers = new CarrierThreads();
    AtomicBoolean over = new AtomicBoolean();
    int before = scheduler.getParallelism();
    Thread stuck =
        Thread.startVirtualThread(
            () -> {
              while (!over.get()) {
                Thread.onSpinWait();
              }
            });
    try {
      assertFalse(carriers.exhausted());
      int most = CarrierThreads.most(Runtime.getRuntime().availableProcessors());
      for (int i = 0; i < most; i++) {
        carriers.replaceCarrierOf(stuck); // one represents all: so many would need as many cores
      }
      assertTrue(carriers.exhausted());
    } finally {
      over.set(true);
    }
    await().atMost(Duration.ofMinutes(1)).until(() -> scheduler.getParallelism() <= before);
    assertFalse(carriers.exhausted());
  }
}

package roll.api.plugin;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OneShotTaskTest {
  private final AtomicInteger done = new AtomicInteger();

  /** The work of a thread. */
  private record Load(AtomicInteger count, byte[] content) implements Runnable {
    @Override
    public void run() {
      count.addAndGet(content.length);
    }
  }

  @Test
  void isDoneOnceAndLetGo() throws InterruptedException {
    Load load = new Load(done, new byte[7]);
    WeakReference<Load> known = new WeakReference<>(load);
    Thread thread = Thread.ofVirtual().start(new OneShotTask(load));
    load = null;
    try {
      thread.join();
      assertEquals(7, done.get());
      await("kept by a thread that ended")
          .until(
              () -> {
                System.gc();
                return known.get() == null;
              });
    } finally {
      Reference.reachabilityFence(thread);
    }
  }
}

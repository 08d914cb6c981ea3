package roll.api.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ErrandTest {
  private final AtomicInteger done = new AtomicInteger();

  /** What a thread works on. */
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
    Thread thread = Thread.ofVirtual().start(new Errand(load));
    load = null;
    try {
      thread.join();
      assertEquals(7, done.get());
      for (int i = 0; i < 100 && known.get() != null; i++) {
        System.gc();
        Thread.sleep(10);
      }
      assertNull(known.get(), "kept by a thread that ended");
    } finally {
      Reference.reachabilityFence(thread);
    }
  }
}

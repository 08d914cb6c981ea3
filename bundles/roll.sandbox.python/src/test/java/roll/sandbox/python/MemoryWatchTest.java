package roll.sandbox.python;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One huge object exceeds the limit, whatever was in use before. */
class MemoryWatchTest {
  private static final int LIMIT = 64 << 20;

  private final MemoryWatch memory = new MemoryWatch();

  /** Collects the memory of the previous test. */
  @BeforeEach
  void collect() {
    System.gc();
  }

  @Test
  void aHugeObjectIsSeen() throws InterruptedException {
    assertTrue(tooMuch(2 * LIMIT));
    assertFalse(tooMuch(LIMIT / 2));
  }

  @Test
  void whatAnEndedProgramLeftIsNotTakenForInUse() throws InterruptedException {
    for (int program = 0; program < 5; program++) {
      assertTrue(tooMuch(2 * LIMIT), "program " + program);
    }
  }

  @Test
  void whatAStoppedProgramStillHeldIsNotTakenForInUse() throws InterruptedException {
    Holder stopped = new Holder(2 * LIMIT);
    try (MemoryWatch.Program watched = memory.watch(stopped.thread, LIMIT)) {
      stopped.hold();
      assertTrue(watched.tooMuch());
    }
    Holder next = new Holder(2 * LIMIT);
    try (MemoryWatch.Program watched = memory.watch(next.thread, LIMIT)) {
      stopped.end();
      next.hold();
      assertTrue(watched.tooMuch());
    } finally {
      next.end();
    }
  }

  /** Returns whether a program that holds an array of {@code bytes} exceeds its limit. */
  private boolean tooMuch(int bytes) throws InterruptedException {
    Holder program = new Holder(bytes);
    try (MemoryWatch.Program watched = memory.watch(program.thread, LIMIT)) {
      program.hold();
      return watched.tooMuch();
    } finally {
      program.end();
    }
  }

  /** A thread that holds an array until it is released. */
  private static final class Holder {
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread;

    Holder(int bytes) {
      thread = Thread.ofPlatform().unstarted(() -> run(bytes));
    }

    private void run(int bytes) {
      byte[] object = new byte[bytes];
      held.countDown();
      try {
        over.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      assertEquals(bytes, object.length);
    }

    void hold() throws InterruptedException {
      thread.start();
      held.await();
    }

    void end() throws InterruptedException {
      over.countDown();
      thread.join();
    }
  }
}

package roll.ui.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** However many ask at once, the work is done once. */
class IntervalCacheTest {
  @Test
  void fiftyWhoAskAtOnceCostOneAnswer() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    IntervalCache<Integer> kept =
        new IntervalCache<>(
            Duration.ofMinutes(1),
            () -> {
              Thread.sleep(100);
              return asked.incrementAndGet();
            });
    try (ExecutorService pages = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> answers = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        answers.add(pages.submit(kept::get));
      }
      for (Future<Integer> answer : answers) {
        assertEquals(1, answer.get());
      }
    }
  }

  @Test
  void anOldAnswerIsWorkedOutAgain() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    IntervalCache<Integer> kept = new IntervalCache<>(Duration.ofMillis(1), asked::incrementAndGet);
    assertEquals(1, kept.get());
    Thread.sleep(5);
    assertEquals(2, kept.get());
  }
}

package roll.sandbox.python;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits of concurrent programs. */
@Timeout(60)
class ProgramSlotsTest {
  private final ProgramSlots places = new ProgramSlots(2, Duration.ofMillis(500));

  @Test
  void laterProgramsWait() throws Exception {
    assertTrue(places.take());
    assertTrue(places.take());
    Thread later = Thread.ofVirtual().start(this::takeAndGive);
    assertFalse(later.join(Duration.ofMillis(300)));
    places.give();
    later.join();
  }

  @Test
  void thoseThatCannotBeStoppedKeepTheirs() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    for (int i = 0; i < 2; i++) {
      assertTrue(places.take());
      places.abandon(Thread.ofPlatform().daemon().start(() -> giveAfter(end)));
    }
    assertFalse(places.take());
    end.countDown();
    assertTrue(places.take());
    assertTrue(places.take());
  }

  @Test
  void takeWaitsForProgramsThatEndInTime() throws Exception {
    for (int i = 0; i < 2; i++) {
      assertTrue(places.take());
      places.abandon(Thread.ofPlatform().daemon().start(this::giveSoon));
    }
    assertTrue(places.take());
  }

  private void giveSoon() {
    try {
      Thread.sleep(200);
      places.give();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void takeAndGive() {
    try {
      assertTrue(places.take());
      places.give();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void giveAfter(CountDownLatch end) {
    try {
      end.await();
      places.give();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}

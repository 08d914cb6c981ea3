package roll.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.option.UserException;
import roll.remote.MetricsUploadQueue.Patience;
import roll.remote.MetricsUploadQueue.Row;

@Timeout(60)
class MetricsUploadQueueTest {
  private static final Patience PATIENCE =
      new Patience(1000, Duration.ofMillis(1), Duration.ofMillis(4), Duration.ofSeconds(50));

  private final List<Integer> taken = Collections.synchronizedList(new ArrayList<>());
  private final List<Boolean> lasts = Collections.synchronizedList(new ArrayList<>());
  private final List<String> notices = Collections.synchronizedList(new ArrayList<>());

  private void take(List<Row> rows, boolean last) {
    rows.forEach(row -> taken.add(row.step()));
    lasts.add(last);
  }

  private static Row row(int step) {
    return new Row(step, 0, Map.of());
  }

  private static List<Integer> steps(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  @Test
  void everyRowIsSentOnceAndInOrder() {
    try (MetricsUploadQueue outbox =
        new MetricsUploadQueue("test", this::take, PATIENCE, notices::add)) {
      steps(0, 777).forEach(step -> outbox.add(row(step)));
    }
    assertEquals(steps(0, 777), taken);
    assertEquals(1, lasts.stream().filter(last -> last).count());
    assertTrue(lasts.getLast());
    assertEquals(List.of(), notices);
  }

  @Test
  void aRunWithoutStepsEndsToo() {
    new MetricsUploadQueue("test", this::take, PATIENCE, notices::add).close();
    assertEquals(List.of(true), lasts);
    assertEquals(List.of(), taken);
  }

  @Test
  void whatFailsIsTriedAgain() {
    List<Integer> tries = new ArrayList<>();
    MetricsUploadQueue.Receiver flaky =
        (rows, last) -> {
          tries.add(rows.size());
          if (tries.size() % 3 != 0) {
            throw new IOException("down");
          }
          take(rows, last);
        };
    try (MetricsUploadQueue outbox =
        new MetricsUploadQueue("test", flaky, PATIENCE, notices::add)) {
      steps(0, 20).forEach(step -> outbox.add(row(step)));
    }
    assertEquals(steps(0, 20), taken);
    assertEquals(List.of(), notices);
  }

  @Test
  void theOldestGoWhereThereIsNoRoom() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch full = new CountDownLatch(1);
    MetricsUploadQueue.Receiver slow =
        (rows, last) -> {
          begun.countDown();
          full.await();
          take(rows, last);
        };
    Patience small = new Patience(3, PATIENCE.pause(), PATIENCE.longest(), PATIENCE.end());
    try (MetricsUploadQueue outbox = new MetricsUploadQueue("test", slow, small, notices::add)) {
      outbox.add(row(0));
      begun.await();
      steps(1, 10).forEach(step -> outbox.add(row(step)));
      full.countDown();
    }
    // 0 was in progress; 1 to 6 had no room
    assertEquals(List.of(0, 7, 8, 9), taken);
    assertEquals(List.of("6 steps were not sent: no answer"), notices);
  }

  @Test
  void aRefusalEndsIt() throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(1);
    MetricsUploadQueue.Receiver closed =
        (rows, last) -> {
          asked.countDown();
          throw new UserException("401");
        };
    try (MetricsUploadQueue outbox =
        new MetricsUploadQueue("test", closed, PATIENCE, notices::add)) {
      outbox.add(row(0));
      asked.await();
      outbox.add(row(1));
    }
    assertEquals(List.of("401; nothing more is sent", "2 steps were not sent: 401"), notices);
  }

  @Test
  void nobodyWaitsLongForAServerThatIsAway() {
    MetricsUploadQueue.Receiver away =
        (rows, last) -> {
          throw new IOException("away");
        };
    Patience hurry = new Patience(9, PATIENCE.pause(), PATIENCE.longest(), Duration.ofMillis(50));
    try (MetricsUploadQueue outbox = new MetricsUploadQueue("test", away, hurry, notices::add)) {
      outbox.add(row(0));
    }
    assertEquals(List.of("1 step was not sent: away"), notices);
    assertFalse(taken.contains(0));
  }
}

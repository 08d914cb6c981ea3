package roll.cluster.inference.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Assignment of partitions to engines. */
class PartitionAssignmentsTest {
  private final PoolScheduler<String> scheduler = new PoolScheduler<>();

  private static WorkItem<String> work(Object partition, String name) {
    return new WorkItem<>(name, 100, PromptHashes.NONE, partition);
  }

  private List<String> next(long now) {
    return scheduler.next(now).stream().map(a -> a.engine() + ":" + a.work().what()).toList();
  }

  @Test
  void aPartitionStaysWithItsEngine() {
    scheduler.join("a", 1);
    scheduler.join("b", 1);
    WorkItem<String> first = work("x", "x1");
    WorkItem<String> other = work("y", "y1");
    scheduler.submit(first);
    scheduler.submit(other);
    assertEquals(List.of("a:x1", "b:y1"), next(0));
    scheduler.end("b", other, 10, true);
    scheduler.submit(work("x", "x2"));
    WorkItem<String> again = work("y", "y2");
    scheduler.submit(again);
    assertEquals(List.of("b:y2"), next(10));
    scheduler.end("a", first, 20, true);
    assertEquals(List.of("a:x2"), next(20));
    scheduler.leave("a");
    WorkItem<String> third = work("z", "z1");
    scheduler.join("c", 16);
    scheduler.submit(third);
    assertEquals(List.of("c:x2"), next(30));
    scheduler.end("b", again, 35, true);
    assertEquals(List.of("b:z1"), next(35));
    scheduler.releasePartitions();
    scheduler.end("b", third, 40, true);
    scheduler.drain("b");
    scheduler.join("d", 1);
    scheduler.submit(work("z", "z2"));
    assertEquals(List.of("d:z2"), next(40));
  }

  @Test
  void partitionsAreKeptForOneThatIsAboutToHaveItsWeights() {
    scheduler.join("a", 1);
    scheduler.join("b", 1);
    scheduler.pause("b");
    List<WorkItem<String>> works = List.of(work("w", "w1"), work("x", "x1"), work("y", "y1"));
    works.forEach(scheduler::submit);
    assertEquals(List.of("a:w1"), next(0));
    scheduler.resume("b");
    assertEquals(List.of("b:x1"), next(5));
    scheduler.end("a", works.get(0), 10, true);
    assertEquals(List.of("a:y1"), next(10));
  }

  @Test
  void aPartitionThatHasNotBegunIsTakenOverAndOneThatHasIsNot() {
    scheduler.join("a", 1);
    scheduler.join("b", 1);
    scheduler.pause("b");
    WorkItem<String> first = work("w", "w1");
    WorkItem<String> second = work("x", "x1");
    scheduler.submit(first);
    scheduler.submit(second);
    assertEquals(List.of("a:w1"), next(0));
    scheduler.end("a", first, 10, true);
    assertEquals(List.of("a:x1"), next(10));
    scheduler.resume("b");
    scheduler.submit(work("w", "w2"));
    scheduler.submit(work("x", "x2"));
    assertEquals(List.of(), next(12));
    scheduler.end("a", second, 20, true);
    assertEquals(List.of("a:w2"), next(20));
  }

  @Test
  void oneThatComesLaterGetsALaneThatHasNotBegun() {
    scheduler.join("a", 1);
    WorkItem<String> first = work("w", "w1");
    List.of(first, work("x", "x1"), work("y", "y1")).forEach(scheduler::submit);
    assertEquals(List.of("a:w1"), next(0));
    scheduler.join("b", 1);
    assertEquals(List.of("b:x1"), next(5));
    scheduler.end("a", first, 10, true);
    assertEquals(List.of("a:y1"), next(10));
  }

  @Test
  void aFastEngineHasMoreLanes() {
    scheduler.join("a", 1);
    scheduler.join("b", 1);
    WorkItem<String> one = work("v", "v");
    WorkItem<String> two = work("w", "w");
    scheduler.submit(one);
    scheduler.submit(two);
    assertEquals(List.of("a:v", "b:w"), next(0));
    scheduler.end("a", one, 10, true);
    scheduler.end("b", two, 30, true);
    scheduler.releasePartitions();
    List<WorkItem<String>> works = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      works.add(work("partition" + i, "t" + i));
      scheduler.submit(works.get(i));
    }
    // six for the one that is three times as fast: 6 · 10 = 2 · 30
    assertEquals(List.of("a:t0", "b:t3"), next(30));
  }
}

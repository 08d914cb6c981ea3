package roll.cluster.inference.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import roll.api.data.RandomStreams;
import roll.api.image.Picture;
import roll.cluster.inference.pool.PoolScheduler.Assignment;

class PoolSchedulerTest {
  private final PoolScheduler<String> scheduler = new PoolScheduler<>();

  private static WorkItem<String> work(String name, int... prompt) {
    return new WorkItem<>(name, 100, PromptHashes.of(prompt, List.of()), null);
  }

  private List<String> next(long now) {
    return scheduler.next(now).stream().map(a -> a.engine() + ":" + a.work().what()).toList();
  }

  @Test
  void eachGetsALittleAndTheRestWaits() {
    scheduler.join("a", 1);
    scheduler.join("b", 1);
    WorkItem<String> first = work("1");
    scheduler.submit(first);
    scheduler.submit(work("2"));
    scheduler.submit(work("3"));
    assertEquals(List.of("a:1", "b:2"), next(0));
    assertEquals(List.of(), next(0));
    scheduler.end("a", first, 10, true);
    assertEquals(List.of("a:3"), next(10));
  }

  @Test
  void whoComesLaterGetsWhatWaits() {
    scheduler.join("a", 1);
    scheduler.submit(work("1"));
    scheduler.submit(work("2"));
    assertEquals(List.of("a:1"), next(0));
    scheduler.join("b", 1);
    assertEquals(List.of("b:2"), next(5));
  }

  @Test
  void whatALostOneHadComesFirst() {
    scheduler.join("a", 16);
    scheduler.join("b", 1);
    WorkItem<String> first = work("1");
    for (WorkItem<String> each : List.of(first, work("2"), work("3"), work("4"))) {
      scheduler.submit(each);
    }
    assertEquals(List.of("a:1", "b:2", "a:3"), next(0));
    assertEquals(2, scheduler.leave("a").size());
    assertFalse(scheduler.has("a", first));
    scheduler.join("c", 24);
    assertEquals(List.of("c:1", "c:3", "c:4"), next(1));
  }

  @Test
  void oneThatDrainsEndsWhatItHas() {
    scheduler.join("a", 2);
    WorkItem<String> first = work("1");
    scheduler.submit(first);
    assertEquals(List.of("a:1"), next(0));
    scheduler.drain("a");
    scheduler.submit(work("2"));
    assertEquals(List.of(), next(1));
    assertTrue(scheduler.has("a", first));
  }

  @Test
  void aBeginningIsKnownByWhatItShows() {
    int[] prompt = RandomStreams.of(1, "prompt").ints(64, 0, 100).toArray();
    Picture one = Picture.of(new byte[] {1});
    Picture two = Picture.of(new byte[] {2});
    PrefixIndex index = new PrefixIndex();
    index.add(PromptHashes.of(Arrays.copyOf(prompt, 40), List.of(one)));
    assertEquals(32, index.known(PromptHashes.of(prompt, List.of(one))));
    assertEquals(32, index.known(PromptHashes.of(prompt, List.of(one, two))));
    assertEquals(0, index.known(PromptHashes.of(prompt, List.of(two, one))));
    assertEquals(0, index.known(PromptHashes.of(prompt, List.of())));
  }

  @Test
  void aConversationStaysWhereItsBeginningIs() {
    int[] prompt = RandomStreams.of(1, "prompt").ints(64, 0, 100).toArray();
    scheduler.join("a", 4);
    scheduler.join("b", 4);
    scheduler.submit(work("other"));
    WorkItem<String> turn = work("1", prompt);
    scheduler.submit(turn);
    assertEquals(List.of("a:other", "b:1"), next(0));
    scheduler.end("b", turn, 10, true);
    scheduler.submit(work("x"));
    scheduler.submit(work("2", prompt));
    assertEquals(List.of("b:x", "b:2"), next(10));
  }

  /** The second measurement replaces the first, during which kernels were compiled. */
  @Test
  void oneThatSeemedSlowIsMeasuredAgainAfterUpdates() {
    scheduler.join("a", 4);
    scheduler.join("b", 4);
    assertEquals(1, step(100));
    assertEquals(0, step(1));
    int share = 0;
    for (int update = 0; update < 10; update++) {
      scheduler.newWeights();
      share = step(1);
    }
    assertTrue(share >= 3, share + " of 8");
  }

  private long now;

  /** Returns the number of 8 items that b did; each takes 10 on a and a multiple of that on b. */
  private int step(int slower) {
    for (int i = 0; i < 8; i++) {
      scheduler.submit(work("step"));
    }
    PriorityQueue<Running> running =
        new PriorityQueue<>((one, other) -> Long.compare(one.end(), other.end()));
    Map<String, Long> free = new HashMap<>();
    int share = 0;
    for (int ended = 0; ended < 8; ended++) {
      for (Assignment<String> a : scheduler.next(now)) {
        long end = Math.max(now, free.getOrDefault(a.engine(), 0L));
        end += a.engine().equals("b") ? 10L * slower : 10;
        free.put(a.engine(), end);
        running.add(new Running(end, a));
        share += a.engine().equals("b") ? 1 : 0;
      }
      Running first = running.remove();
      now = first.end();
      scheduler.end(first.what().engine(), first.what().work(), now, true);
    }
    return share;
  }

  private record Running(long end, Assignment<String> what) {}

  private record Event(long at, Assignment<Integer> what) {}

  /** A thousand engines, some slow, some that are lost and some that come: all is done, once. */
  @Test
  void aThousandEnginesInVirtualTime() {
    PoolScheduler<Integer> pool = new PoolScheduler<>();
    RandomGenerator random = RandomStreams.of(7, "pool");
    Map<String, Double> speeds = new HashMap<>();
    for (int i = 0; i < 1000; i++) {
      speeds.put("n" + i, i % 10 == 0 ? 0.1 : 1.0);
      pool.join("n" + i, 4);
    }
    int count = 20_000;
    for (int i = 0; i < count; i++) {
      pool.submit(new WorkItem<>(i, 100 + random.nextInt(1000), PromptHashes.NONE, null));
    }
    PriorityQueue<Event> events = new PriorityQueue<>((a, b) -> Long.compare(a.at(), b.at()));
    Map<String, Long> free = new HashMap<>();
    Map<String, Integer> done = new HashMap<>();
    Set<Integer> all = new HashSet<>();
    long now = 0;
    int lost = 0;
    while (all.size() < count) {
      for (Assignment<Integer> a : pool.next(now)) {
        double took = a.work().cost() / speeds.getOrDefault(a.engine(), 1.0);
        long at = Math.max(now, free.getOrDefault(a.engine(), 0L)) + (long) took;
        free.put(a.engine(), at);
        events.add(new Event(at, a));
      }
      Event event = events.remove();
      now = event.at();
      Assignment<Integer> a = event.what();
      if (!pool.has(a.engine(), a.work())) {
        continue; // of an engine that is gone
      }
      if (all.size() % 200 == 199 && lost < 90) {
        pool.leave(a.engine());
        pool.join("later" + lost++, 4);
        continue;
      }
      pool.end(a.engine(), a.work(), now, true);
      assertTrue(all.add(a.work().what()), "done twice");
      done.merge(a.engine(), 1, Integer::sum);
    }
    assertEquals(90, lost);
    List<Integer> slow = new ArrayList<>();
    List<Integer> fast = new ArrayList<>();
    speeds.forEach((name, speed) -> (speed < 1 ? slow : fast).add(done.getOrDefault(name, 0)));
    double slowMean = slow.stream().mapToInt(i -> i).average().orElse(0);
    double fastMean = fast.stream().mapToInt(i -> i).average().orElse(0);
    assertTrue(slowMean < fastMean / 4, slowMean + " by slow ones, " + fastMean + " by others");
    double ideal = count * 600.0 / (900 + 100 * 0.1);
    assertTrue(now < 1.5 * ideal, now + " where " + ideal + " is ideal");
  }
}

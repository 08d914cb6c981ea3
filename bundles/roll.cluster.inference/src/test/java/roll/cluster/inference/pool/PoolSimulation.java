package roll.cluster.inference.pool;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.random.RandomGenerator;
import roll.api.data.RandomStreams;
import roll.cluster.inference.pool.PoolScheduler.Assignment;

/**
 * A step's requests and many engines, in virtual time: {@link PoolScheduler} decides who does what.
 * An engine does one work after another.
 */
final class PoolSimulation {
  private static final int ROOM = 4;
  private static final int SLOWER = 10;

  private record Event(long at, Assignment<Integer> what) {}

  private final PoolScheduler<Integer> pool = new PoolScheduler<>();
  private final Map<String, Double> speeds = new HashMap<>();
  private final Map<String, Long> free = new HashMap<>();
  private final Map<String, Long> done = new HashMap<>();
  private final Set<Integer> answered = new HashSet<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>((one, other) -> Long.compare(one.at(), other.at()));

  /**
   * Result of a simulation.
   *
   * @param time until the last answer, in tokens of an engine that is not slow
   * @param ideal time if all engines that stay were busy all the time
   * @param again works that were issued again
   * @param most tokens of the engine, not slow, that did most, over the mean of these
   */
  record Outcome(long time, double ideal, int again, double most) {}

  /**
   * Simulates a step.
   *
   * @param engines from the beginning
   * @param works of 100 to 1,099 tokens
   * @param slow every so manyth engine has a tenth of the speed; 0 for none
   * @param lost engines that are lost, each with what it has, evenly over the step
   * @param late engines that come, as evenly
   */
  Outcome run(int engines, int works, int slow, int lost, int late) {
    RandomGenerator random = RandomStreams.of(7, "pool");
    for (int i = 0; i < engines; i++) {
      join("n" + i, slow > 0 && i % slow == 0 ? 1.0 / SLOWER : 1);
    }
    long tokens = 0;
    for (int i = 0; i < works; i++) {
      long cost = 100L + random.nextInt(1000);
      tokens += cost;
      pool.submit(new WorkItem<>(i, cost, PromptHashes.NONE, null));
    }
    long now = 0;
    int again = 0;
    int gone = 0;
    int come = 0;
    while (answered.size() < works) {
      begin(now);
      Event event = events.remove();
      now = event.at();
      Assignment<Integer> a = event.what();
      if (!pool.has(a.engine(), a.work())) {
        continue; // of an engine that is gone
      }
      if (gone < lost && answered.size() >= (gone + 1L) * works / (lost + 1)) {
        again += pool.leave(a.engine()).size();
        gone++;
        continue;
      }
      if (come < late && answered.size() >= (come + 1L) * works / (late + 1)) {
        join("late" + come++, 1);
      }
      pool.end(a.engine(), a.work(), now, true);
      if (!answered.add(a.work().what())) {
        throw new AssertionError("work " + a.work().what() + " was answered twice");
      }
      done.merge(a.engine(), a.work().cost(), Long::sum);
    }
    double speed = speeds.values().stream().mapToDouble(s -> s).sum() - (lost + late) / 2.0;
    return new Outcome(now, tokens / speed, again, most());
  }

  private void join(String engine, double speed) {
    speeds.put(engine, speed);
    pool.join(engine, ROOM);
  }

  private void begin(long now) {
    for (Assignment<Integer> a : pool.next(now)) {
      double took = a.work().cost() / speeds.get(a.engine());
      long at = Math.max(now, free.getOrDefault(a.engine(), 0L)) + (long) took;
      free.put(a.engine(), at);
      events.add(new Event(at, a));
    }
  }

  private double most() {
    List<Long> fast =
        speeds.entrySet().stream()
            .filter(e -> e.getValue() == 1 && !e.getKey().startsWith("late"))
            .map(e -> done.getOrDefault(e.getKey(), 0L))
            .toList();
    double mean = fast.stream().mapToLong(t -> t).average().orElse(1);
    return fast.stream().mapToLong(t -> t).max().orElse(0) / mean;
  }
}

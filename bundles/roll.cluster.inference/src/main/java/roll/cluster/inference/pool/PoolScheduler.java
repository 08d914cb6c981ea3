package roll.cluster.inference.pool;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Assigns each work item to the engine that would finish it first, given its load, its measured
 * speed, and the part of the prompt in its cache. Each engine has a limited number of items at
 * once, and a slow one gets no item that the others would finish sooner; the rest waits, so that an
 * engine that joins later gets its share. Partitions are assigned by {@link PartitionAssignments}.
 *
 * <p>Has neither threads nor a clock: the caller reports events with their time, and starts the
 * items that {@link #next} returns. Not thread-safe.
 */
final class PoolScheduler<W> {
  private final Map<String, EngineLoad<W>> engines = new LinkedHashMap<>();
  private final Deque<WorkItem<W>> waiting = new ArrayDeque<>();

  private final PartitionAssignments<W> partitions = new PartitionAssignments<>();

  /** Number of tokens of the waiting items. */
  private long waitingCost;

  /**
   * Assignment of an item to an engine.
   *
   * @param engine name of the engine
   */
  record Assignment<W>(String engine, WorkItem<W> work) {}

  /**
   * Adds an engine to the scheduler.
   *
   * @param room maximum number of concurrent items
   */
  void join(String engine, int room) {
    if (engines.putIfAbsent(engine, new EngineLoad<>(engine, room)) != null) {
      throw new IllegalStateException("engine " + engine + " is there already");
    }
    partitions.release();
  }

  /** Gives an engine no more items; the engine finishes those it has. */
  void drain(String engine) {
    EngineLoad<W> load = engines.get(engine);
    if (load != null) {
      load.drain();
      partitions.remove(engine);
    }
  }

  /** Gives an engine no items until {@link #resume}. */
  void pause(String engine) {
    EngineLoad<W> load = engines.get(engine);
    if (load != null) {
      load.pause(true);
    }
  }

  /** Resumes giving work items to an engine. */
  void resume(String engine) {
    EngineLoad<W> load = engines.get(engine);
    if (load != null) {
      load.pause(false);
    }
  }

  /** Returns whether an engine is drained and has no items left. */
  boolean isDrained(String engine) {
    EngineLoad<W> load = engines.get(engine);
    return load != null && load.isDrained();
  }

  /** Removes an engine and returns its items, which wait again, ahead of all others. */
  List<WorkItem<W>> leave(String engine) {
    EngineLoad<W> load = engines.remove(engine);
    if (load == null) {
      return List.of();
    }
    partitions.remove(engine);
    List<WorkItem<W>> had = new ArrayList<>(load.working().keySet());
    had.reversed().forEach(waiting::addFirst);
    waitingCost += had.stream().mapToLong(WorkItem::cost).sum();
    return had;
  }

  /** Returns whether the pool has no engine. */
  boolean isDeserted() {
    return engines.isEmpty();
  }

  /** Adds a work item to the queue of the engine that would finish it first. */
  void submit(WorkItem<W> work) {
    waiting.add(work);
    waitingCost += work.cost();
  }

  /** Removes a waiting item; returns false if it does not wait. */
  boolean withdraw(WorkItem<W> work) {
    boolean waited = waiting.remove(work);
    waitingCost -= waited ? work.cost() : 0;
    return waited;
  }

  /** Removes and returns all waiting items. */
  List<WorkItem<W>> withdrawAll() {
    List<WorkItem<W>> all = List.copyOf(waiting);
    waiting.clear();
    waitingCost = 0;
    return all;
  }

  /** Removes an item that an engine has done or given up; ignores engines that are gone. */
  void end(String engine, WorkItem<W> work, long now, boolean done) {
    EngineLoad<W> load = engines.get(engine);
    if (load != null) {
      load.end(work, now, done);
    }
  }

  /** Returns whether the engine {@code engine} has the item {@code work}. */
  boolean has(String engine, WorkItem<W> work) {
    EngineLoad<W> load = engines.get(engine);
    return load != null && load.working().containsKey(work);
  }

  /**
   * Clears the cached prompts of all engines. The speed of an engine without items since the last
   * change becomes a guess.
   */
  void newWeights() {
    engines.values().forEach(EngineLoad::newWeights);
  }

  /** Removes all assignments of request partitions to engines. */
  void releasePartitions() {
    partitions.clear();
  }

  /** Returns the items to start now. */
  List<Assignment<W>> next(long now) {
    List<Assignment<W>> next = new ArrayList<>();
    if (waiting.isEmpty()) {
      return next;
    }
    List<EngineLoad<W>> present =
        engines.values().stream().filter(engine -> !engine.isPaused()).toList();
    Speeds speeds = Speeds.of(present);
    partitions.assign(waiting, engines.values(), speeds.usual());
    double left = waitingCost;
    left += present.stream().mapToLong(EngineLoad::outstanding).sum();
    boolean idle = present.stream().allMatch(engine -> engine.working().isEmpty());
    boolean full = false; // for work that any engine may do
    for (var each = waiting.iterator(); each.hasNext() && !(full && partitions.isEmpty()); ) {
      WorkItem<W> work = each.next();
      Object partition = work.partition();
      EngineLoad<W> best = null;
      if (partition != null) {
        best = partitions.of(partition, engines);
      } else if (!full) {
        double soon = idle ? Double.MAX_VALUE : left / speeds.all() + work.cost() / speeds.most();
        best = best(work, speeds.usual(), soon);
        full = best == null;
      }
      if (best == null) {
        continue;
      }
      each.remove();
      if (partition != null) {
        partitions.started(work, partition, best);
      }
      waitingCost -= work.cost();
      best.give(work, now);
      idle = false;
      next.add(new Assignment<>(best.name(), work));
    }
    return next;
  }

  /**
   * Returns the engine that would finish an item first; null if waiting is better, since no engine
   * has capacity, or those that have would finish it after the others have finished all.
   */
  private @Nullable EngineLoad<W> best(WorkItem<W> work, double usual, double soon) {
    EngineLoad<W> best = null;
    double soonest = Math.nextUp(soon);
    for (EngineLoad<W> engine : engines.values()) {
      double finish = engine.takes() ? engine.finish(work, usual) : Double.POSITIVE_INFINITY;
      if (finish < soonest) {
        soonest = finish;
        best = engine;
      }
    }
    return best;
  }

  /** Tokens per nanosecond of an engine without measurement, of the fastest one, and of all. */
  private record Speeds(double usual, double most, double all) {
    static <W> Speeds of(Collection<EngineLoad<W>> engines) {
      DoubleSummaryStatistics measured =
          engines.stream()
              .mapToDouble(EngineLoad::speed)
              .filter(speed -> speed > 0)
              .summaryStatistics();
      double usual = measured.getCount() == 0 ? 1 : measured.getAverage();
      double all = measured.getSum() + usual * (engines.size() - measured.getCount());
      return new Speeds(usual, Math.max(usual, measured.getMax()), Math.max(all, usual));
    }
  }
}

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
 * Who does what: each work goes to the engine that would be done with it first, by what it has to
 * do, how fast it was, and how much of the prompt it has in its cache. An engine has only so much
 * at once, and a slow one nothing that the others would be done with sooner; the rest waits, so
 * that one that comes later gets its share. Lanes are shared out as {@link LaneHomes} says.
 *
 * <p>Plain code without threads and without a clock: the caller says what happens and when, and
 * does what {@link #next} says. Not for several threads.
 */
final class PoolScheduler<W> {
  private final Map<String, EngineLoad<W>> engines = new LinkedHashMap<>();
  private final Deque<PoolWork<W>> waiting = new ArrayDeque<>();

  private final LaneHomes<W> homes = new LaneHomes<>();

  /** Tokens of what waits. */
  private long waitingCost;

  /**
   * A work and who does it.
   *
   * @param engine its name
   */
  record Assignment<W>(String engine, PoolWork<W> work) {}

  /**
   * An engine is there.
   *
   * @param room how much it works on at once
   */
  void join(String engine, int room) {
    if (engines.putIfAbsent(engine, new EngineLoad<>(engine, room)) != null) {
      throw new IllegalStateException("engine " + engine + " is there already");
    }
    homes.release();
  }

  /** An engine gets nothing more; what it has it may end. */
  void drain(String engine) {
    EngineLoad<W> load = engines.get(engine);
    if (load != null) {
      load.drain();
      homes.remove(engine);
    }
  }

  /** An engine gets nothing new until {@link #resume}. */
  void pause(String engine) {
    EngineLoad<W> load = engines.get(engine);
    if (load != null) {
      load.pause(true);
    }
  }

  /** It gets its share again. */
  void resume(String engine) {
    EngineLoad<W> load = engines.get(engine);
    if (load != null) {
      load.pause(false);
    }
  }

  /** Whether an engine gets nothing more and has nothing left. */
  boolean isDrained(String engine) {
    EngineLoad<W> load = engines.get(engine);
    return load != null && load.isDrained();
  }

  /** An engine is gone; what it had waits again, before all else, and is the result. */
  List<PoolWork<W>> leave(String engine) {
    EngineLoad<W> load = engines.remove(engine);
    if (load == null) {
      return List.of();
    }
    homes.remove(engine);
    List<PoolWork<W>> had = new ArrayList<>(load.working().keySet());
    had.reversed().forEach(waiting::addFirst);
    waitingCost += had.stream().mapToLong(PoolWork::cost).sum();
    return had;
  }

  /** Whether no engine is left that takes anything. */
  boolean isDeserted() {
    return engines.isEmpty();
  }

  /** There is more to do. */
  void submit(PoolWork<W> work) {
    waiting.add(work);
    waitingCost += work.cost();
  }

  /** What waits is not wanted; false if it does not wait. */
  boolean withdraw(PoolWork<W> work) {
    boolean waited = waiting.remove(work);
    waitingCost -= waited ? work.cost() : 0;
    return waited;
  }

  /** All that waits, which does not any more. */
  List<PoolWork<W>> withdrawAll() {
    List<PoolWork<W>> all = List.copyOf(waiting);
    waiting.clear();
    waitingCost = 0;
    return all;
  }

  /** An engine has done a work, or given it up. An answer of one that is gone changes nothing. */
  void end(String engine, PoolWork<W> work, long now, boolean done) {
    EngineLoad<W> load = engines.get(engine);
    if (load != null) {
      load.end(work, now, done);
    }
  }

  /** Whether {@code engine} is there and works on {@code work}. */
  boolean has(String engine, PoolWork<W> work) {
    EngineLoad<W> load = engines.get(engine);
    return load != null && load.working().containsKey(work);
  }

  /**
   * Weights have changed: no engine has anything in its cache, and one that got nothing since the
   * last change may be faster than it seemed.
   */
  void newWeights() {
    engines.values().forEach(EngineLoad::newWeights);
  }

  /** Lanes may go to other engines. */
  void releaseLanes() {
    homes.clear();
  }

  /** What is to be begun now. */
  List<Assignment<W>> next(long now) {
    List<Assignment<W>> next = new ArrayList<>();
    if (waiting.isEmpty()) {
      return next;
    }
    List<EngineLoad<W>> present =
        engines.values().stream().filter(engine -> !engine.isPaused()).toList();
    Speeds speeds = Speeds.of(present);
    homes.place(waiting, engines.values(), speeds.usual());
    double left = waitingCost;
    left += present.stream().mapToLong(EngineLoad::outstanding).sum();
    boolean idle = present.stream().allMatch(engine -> engine.working().isEmpty());
    boolean full = false; // for work that any engine may do
    for (var each = waiting.iterator(); each.hasNext() && !(full && homes.isEmpty()); ) {
      PoolWork<W> work = each.next();
      Object lane = work.lane();
      EngineLoad<W> best = null;
      if (lane != null) {
        best = homes.of(lane, engines);
      } else if (!full) {
        double soon = idle ? Double.MAX_VALUE : left / speeds.all() + work.cost() / speeds.most();
        best = best(work, speeds.usual(), soon);
        full = best == null;
      }
      if (best == null) {
        continue;
      }
      each.remove();
      if (lane != null) {
        homes.begun(work, lane, best);
      }
      waitingCost -= work.cost();
      best.give(work, now);
      idle = false;
      next.add(new Assignment<>(best.name(), work));
    }
    return next;
  }

  /**
   * The engine that would be done with it first; null where it is better to wait: none has room, or
   * those that have would be done with it after the others are done with everything.
   */
  private @Nullable EngineLoad<W> best(PoolWork<W> work, double usual, double soon) {
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

  /** Tokens per nanosecond: of one that was not measured, of the fastest, and of all together. */
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

package roll.cluster.inference.pool;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which engine does the work of which lane. Lanes are shared out when they first have work, by how
 * fast engines are, and to those as well that are about to get their weights: a lane that has begun
 * stays where it is, and so a share that is unequal at first is so up to the next change of
 * weights. Lanes that have not begun are shared out again when an engine comes; one of an engine
 * that still waits for its weights goes to another that has nothing to do.
 */
final class LaneHomes<W> {
  private final Map<Object, Home> homes = new HashMap<>();

  /** Cost of the work of lanes that waits, by engine. */
  private final Map<String, Long> queued = new HashMap<>();

  /** An engine, and whether it had any work of the lane. */
  private record Home(String engine, boolean begun) {}

  boolean isEmpty() {
    return homes.isEmpty();
  }

  /** All lanes may go to other engines. */
  void clear() {
    homes.clear();
  }

  /** Lanes that have not begun may go to other engines. */
  void release() {
    homes.values().removeIf(home -> !home.begun);
  }

  /** The lanes of {@code engine} go to others. */
  void remove(String engine) {
    homes.values().removeIf(home -> home.engine.equals(engine));
  }

  /** Finds a home for each lane among {@code waiting} that has none. */
  void place(Collection<PoolWork<W>> waiting, Collection<EngineLoad<W>> engines, double usual) {
    queued.clear();
    for (PoolWork<W> work : waiting) {
      Object lane = work.lane();
      if (lane == null) {
        continue;
      }
      Home home = homes.get(lane);
      EngineLoad<W> engine = null;
      if (home == null) {
        engine = soonest(work, engines, usual);
        home = engine == null ? null : new Home(engine.name(), false);
      }
      if (home != null) {
        homes.put(lane, home);
        queued.merge(home.engine, work.cost(), Long::sum);
      }
    }
  }

  /** The engine that would be done with all it has and {@code work} first. */
  private @Nullable EngineLoad<W> soonest(
      PoolWork<W> work, Collection<EngineLoad<W>> engines, double usual) {
    EngineLoad<W> best = null;
    double soonest = Double.POSITIVE_INFINITY;
    for (EngineLoad<W> engine : engines) {
      double finish = queue(engine, usual) + work.cost() / engine.speed(usual);
      if (!engine.isDraining() && finish < soonest) {
        soonest = finish;
        best = engine;
      }
    }
    return best;
  }

  /** When {@code engine} would be done with what it has and what of its lanes waits. */
  private double queue(EngineLoad<W> engine, double usual) {
    return (engine.outstanding() + queued.getOrDefault(engine.name(), 0L)) / engine.speed(usual);
  }

  /** The engine that begins work of {@code lane} now; null if it waits. */
  @Nullable EngineLoad<W> of(Object lane, Map<String, EngineLoad<W>> engines) {
    Home home = homes.get(lane);
    EngineLoad<W> own = home == null ? null : engines.get(home.engine);
    if (home == null || own == null || own.takes() || home.begun) {
      return own != null && own.takes() ? own : null;
    }
    for (EngineLoad<W> engine : engines.values()) {
      boolean idle = engine.takes() && engine.working().isEmpty();
      if (own.isPaused() && idle && queued.getOrDefault(engine.name(), 0L) == 0) {
        return engine;
      }
    }
    return null;
  }

  /** {@code engine} has begun {@code work} of {@code lane}. */
  void begun(PoolWork<W> work, Object lane, EngineLoad<W> engine) {
    Home before = homes.put(lane, new Home(engine.name(), true));
    if (before != null) {
      queued.merge(before.engine, -work.cost(), Long::sum);
    }
  }
}

package roll.cluster.inference.pool;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which engine does the work of which lane. Lanes are shared out when they first have work, by how
 * fast engines are, and to those as well that are about to get their weights: a lane that has begun
 * stays where it is, and so a share that is unequal at first is so up to the next change of
 * weights. Hence a lane that has not begun is taken over only by an engine that has no lane, or
 * from one that still waits for its weights when another has nothing to do.
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

  /** The engine that begins {@code work} of a lane now; null if it waits. */
  @Nullable EngineLoad<W> of(
      PoolWork<W> work, Object lane, Map<String, EngineLoad<W>> engines, double usual) {
    Home home = homes.get(lane);
    EngineLoad<W> own = home == null ? null : engines.get(home.engine);
    if (home == null || own == null || own.takes() || home.begun) {
      return own != null && own.takes() ? own : null;
    }
    for (EngineLoad<W> engine : engines.values()) {
      boolean idle = engine.takes() && engine.working().isEmpty();
      boolean free = idle && queued.getOrDefault(engine.name(), 0L) == 0;
      boolean soon = work.cost() / engine.speed(usual) < queue(own, usual);
      if (free && (own.isPaused() || (soon && !has(engine)))) {
        return engine;
      }
    }
    return null;
  }

  private boolean has(EngineLoad<W> engine) {
    return homes.values().stream().anyMatch(home -> home.engine.equals(engine.name()));
  }

  /** {@code engine} has begun {@code work} of {@code lane}. */
  void begun(PoolWork<W> work, Object lane, EngineLoad<W> engine) {
    Home before = homes.put(lane, new Home(engine.name(), true));
    if (before != null) {
      queued.merge(before.engine, -work.cost(), Long::sum);
    }
  }
}

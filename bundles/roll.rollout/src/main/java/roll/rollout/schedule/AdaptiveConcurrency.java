package roll.rollout.schedule;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.EngineLoad;
import roll.api.strategy.Generator;

/**
 * Limits concurrent episodes to what the engine has room for: more begin while part of its KV cache
 * and sequence slots is free, fewer where requests wait there or after a preemption. Confined to
 * the thread of the rollout, except for the permits.
 */
final class AdaptiveConcurrency {
  /** Number of episodes before the load is known. */
  static final int START = 32;

  private static final int NO_LIMIT = Integer.MAX_VALUE / 2;

  /** Share of the engine that is to be used; the rest is for growing sequences. */
  private static final double FULL = 0.9;

  /** Maximum growth of the limit between two queries. */
  private static final double MORE = 2;

  /** Factor of the number of episodes after a preemption. */
  private static final double LESS = 0.75;

  /** Time between two queries of the load, in which new episodes reach the engine. */
  private static final long PAUSE_NANOS = 200_000_000;

  private final Generator engine;
  private final LongSupplier clock;
  private final Permits permits = new Permits();
  private int limit = START;
  private long preemptions = Long.MAX_VALUE;
  private long queried;
  private @Nullable CompletableFuture<EngineLoad> query;

  /** Permits of episodes whose number can be reduced below those in use. */
  private static final class Permits extends Semaphore {
    private static final long serialVersionUID = 1;

    Permits() {
      super(START, true);
    }

    void add(int more) {
      if (more >= 0) {
        release(more);
      } else {
        reducePermits(-more);
      }
    }
  }

  /**
   * Creates the limit for the episodes of {@code engine}.
   *
   * @param clock nanoseconds, as {@link System#nanoTime}
   */
  AdaptiveConcurrency(Generator engine, LongSupplier clock) {
    this.engine = engine;
    this.clock = clock;
    this.queried = clock.getAsLong() - PAUSE_NANOS;
  }

  /** Returns the permits of concurrent episodes. */
  Semaphore permits() {
    return permits;
  }

  /** Returns the current limit of concurrent episodes. */
  int limit() {
    return limit;
  }

  /** Returns whether there is a limit. */
  boolean limited() {
    return limit < NO_LIMIT;
  }

  /** Returns the nanoseconds after which to {@link #adapt} again, whatever happens until then. */
  long recheckNanos() {
    return permits.hasQueuedThreads() ? PAUSE_NANOS : Long.MAX_VALUE;
  }

  /**
   * Adapts the limit to the result of the last query, and queries again; never waits. Without a
   * known load there is no limit.
   */
  void adapt() {
    CompletableFuture<EngineLoad> found = query;
    if (found != null && found.isDone()) {
      query = null;
      adapt(found.isCompletedExceptionally() ? EngineLoad.UNKNOWN : found.join());
    }
    if (query == null && clock.getAsLong() - queried >= PAUSE_NANOS) {
      queried = clock.getAsLong();
      query = engine.load();
    }
  }

  private void adapt(EngineLoad load) {
    double use = load.use();
    if (Double.isNaN(use)) {
      limit(NO_LIMIT);
    } else if (load.preemptions() > preemptions) {
      limit(Math.clamp((int) (LESS * episodes()), 1, limit));
    } else if (load.waiting() > 0) {
      limit(Math.clamp(episodes() - load.waiting(), 1, limit));
    } else if (exhausted() && use > 0 && use < FULL) {
      limit((int) Math.ceil(limit * Math.min(MORE, FULL / use)));
    }
    preemptions = load.preemptions();
  }

  private int episodes() {
    return limit - permits.availablePermits();
  }

  /** Returns whether episodes wait, all permits being in use. */
  private boolean exhausted() {
    return permits.availablePermits() <= 0 && permits.hasQueuedThreads();
  }

  private void limit(int next) {
    permits.add(next - limit);
    limit = next;
  }
}

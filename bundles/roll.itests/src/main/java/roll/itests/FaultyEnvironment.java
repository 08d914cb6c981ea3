package roll.itests;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongFunction;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Step;
import roll.itests.swap.WrappedEnvironment;

/**
 * Wraps an environment and injects a fault into the first turn of some episodes. Closing it ends
 * hanging calls.
 */
final class FaultyEnvironment extends WrappedEnvironment implements AutoCloseable {
  private final LongFunction<Fault> sickness;
  private final Map<Fault, Integer> happened =
      Collections.synchronizedMap(new EnumMap<>(Fault.class));
  private final Set<Long> seeds = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Faults of an episode. */
  enum Fault {
    /** No fault. */
    NONE,
    /** Throws an exception. */
    THROWS,
    /** Hangs, and ignores interrupts. */
    HANGS,
    /** Returns null. */
    NULL,
    /** Returns a NaN reward. */
    NAN,
    /** Returns an observation of megabytes. */
    MEGABYTES
  }

  /**
   * Wraps {@code environment}.
   *
   * @param sickness fault by seed
   */
  FaultyEnvironment(Environment environment, LongFunction<Fault> sickness) {
    super(environment);
    this.sickness = sickness;
  }

  /** Returns the number of injected faults by kind. */
  Map<Fault, Integer> happened() {
    return Map.copyOf(happened);
  }

  /** Returns the seeds of the episodes with a fault. */
  Set<Long> seeds() {
    return Set.copyOf(seeds);
  }

  @Override
  @SuppressWarnings("NullAway") // hangs on purpose
  protected Step step(Episode episode, long seed, String response) {
    Fault now = sickness.apply(seed);
    Step fine = episode.step(response);
    if (now != Fault.NONE) {
      happened.merge(now, 1, Integer::sum);
      seeds.add(seed);
    }
    return switch (now) {
      case NONE -> fine;
      case THROWS -> throw new IllegalStateException("it broke");
      case HANGS -> {
        hang();
        yield fine;
      }
      case NULL -> null;
      case NAN -> new Step("", Double.NaN, false, false, Map.of());
      case MEGABYTES -> new Step("x".repeat(1 << 21), 0, false, false, Map.of());
    };
  }

  private void hang() {
    while (closed.getCount() > 0) {
      try {
        closed.await();
      } catch (InterruptedException e) {
        // ignores the interrupt
      }
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}

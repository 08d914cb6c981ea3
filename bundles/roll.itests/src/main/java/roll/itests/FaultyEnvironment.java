package roll.itests;

import java.awt.image.BufferedImage;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongFunction;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.option.Option;
import roll.api.option.Options;

/**
 * Wraps an environment and injects a fault into the first turn of some episodes. Closing it ends
 * hanging calls.
 */
final class FaultyEnvironment implements Environment, AutoCloseable {
  private final Environment environment;
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
    this.environment = environment;
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
  public String description() {
    return environment.description();
  }

  @Override
  public List<Option<?>> options() {
    return environment.options();
  }

  @Override
  public Scenario configure(Options options) {
    Scenario scenario = environment.configure(options);
    return new Scenario() {
      @Override
      public String instruction() {
        return scenario.instruction();
      }

      @Override
      public Episode reset(long seed) {
        return new Played(scenario.reset(seed), seed);
      }

      @Override
      public boolean readsSpecialTokens() {
        return scenario.readsSpecialTokens();
      }

      @Override
      public Map<String, Aggregation> aggregations() {
        return scenario.aggregations();
      }
    };
  }

  /** An episode with a possible fault. */
  private final class Played implements Episode {
    private final Episode episode;
    private final long seed;

    Played(Episode episode, long seed) {
      this.episode = episode;
      this.seed = seed;
    }

    @Override
    public String observation() {
      return episode.observation();
    }

    @Override
    public List<String> actions() {
      return episode.actions();
    }

    @Override
    public String respond(String action) {
      return episode.respond(action);
    }

    @Override
    @SuppressWarnings("NullAway") // hangs on purpose
    public Step step(String response) {
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
    public Optional<BufferedImage> render() {
      return episode.render();
    }

    @Override
    public void close() {
      episode.close();
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}

package roll.bench;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import roll.api.data.RandomStreams;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.option.Option;
import roll.api.option.Options;

/**
 * An environment with turns of one millisecond, in which a share of the episodes throws or hangs at
 * a random turn. Closing it releases hanging episodes.
 */
final class FlakyEnvironment implements Environment, Scenario, AutoCloseable {
  private static final long STEP_NANOS = 1_000_000;

  /** An observation in the small model's vocabulary. */
  private static final String LAKE = "G__O\n__P_\nOO__\n__O_";

  private final int turns;
  private final double share;
  private final Kind kind;
  private final Map<Long, AtomicInteger> begun = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  /** The kind of failure. */
  enum Kind {
    /** Flaky environment kind: no failures. */
    HEALTHY,
    /** An episode throws; a restart may succeed. */
    THROWS,
    /** All episodes of a level throw, even after restarts. */
    LEVEL_THROWS,
    /** An episode hangs; a restart may succeed. */
    HANGS
  }

  /**
   * Creates an environment in which a share of the episodes fail.
   *
   * @param turns per episode
   * @param share of episodes, or levels, that fail
   */
  FlakyEnvironment(int turns, double share, Kind kind) {
    this.turns = turns;
    this.share = share;
    this.kind = kind;
  }

  @Override
  public String description() {
    return "Runs for some turns, or fails.";
  }

  @Override
  public List<Option<?>> options() {
    return List.of();
  }

  @Override
  public Scenario configure(Options options) {
    return this;
  }

  @Override
  public String instruction() {
    return "";
  }

  @Override
  public Map<String, Aggregation> aggregations() {
    return Map.of();
  }

  @Override
  public Episode reset(long seed) {
    int number = begun.computeIfAbsent(seed, key -> new AtomicInteger()).getAndIncrement();
    RandomGenerator random =
        RandomStreams.of(seed, "roll.bench/flaky", kind == Kind.LEVEL_THROWS ? 0 : number);
    boolean sick = kind != Kind.HEALTHY && random.nextDouble() < share;
    return new Walk(sick ? random.nextInt(turns) : turns);
  }

  /** An episode that fails in turn {@code bad}. */
  private final class Walk implements Episode {
    private final int bad;
    private int turn;

    Walk(int bad) {
      this.bad = bad;
    }

    @Override
    public String observation() {
      return LAKE;
    }

    @Override
    public List<String> actions() {
      return List.of();
    }

    @Override
    public String respond(String action) {
      return action;
    }

    @Override
    public Step step(String response) {
      LockSupport.parkNanos(STEP_NANOS);
      if (turn == bad) {
        fail();
      }
      turn++;
      return new Step(LAKE, 0, turn == turns, false, Map.of());
    }

    private void fail() {
      if (kind != Kind.HANGS) {
        throw new IllegalStateException("flaky");
      }
      while (closed.getCount() > 0) {
        try {
          closed.await();
        } catch (InterruptedException e) {
          // a hanging episode ignores interrupts
        }
      }
    }
  }

  /** Releases the episodes that hang on purpose. */
  void release() {
    closed.countDown();
  }

  @Override
  public void close() {
    release();
  }
}

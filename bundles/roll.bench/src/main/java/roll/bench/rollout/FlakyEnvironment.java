package roll.bench.rollout;

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
 * A world of as many turns as wanted, a millisecond each, in which a share of the episodes throws
 * or hangs in a turn drawn by chance. Closing it ends what hangs.
 */
public final class FlakyEnvironment implements Environment, Scenario, AutoCloseable {
  private static final long STEP_NANOS = 1_000_000;

  /** Words of the small model. */
  private static final String LAKE = "G__O\n__P_\nOO__\n__O_";

  private final int turns;
  private final double share;
  private final Kind kind;
  private final Map<Long, AtomicInteger> begun = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  /** What may happen. */
  public enum Kind {
    /** Nothing. */
    HEALTHY,
    /** An episode throws; begun again it may go well. */
    THROWS,
    /** All episodes of a level throw, however often they are begun. */
    LEVEL_THROWS,
    /** An episode hangs; begun again it may go well. */
    HANGS
  }

  /**
   * A world.
   *
   * @param turns of an episode
   * @param share of the episodes, or levels, that are not healthy
   */
  public FlakyEnvironment(int turns, double share, Kind kind) {
    this.turns = turns;
    this.share = share;
    this.kind = kind;
  }

  @Override
  public String description() {
    return "Goes on for some turns, or fails.";
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

  /** An episode, which fails in turn {@code bad}. */
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
          // what hangs does not listen
        }
      }
    }
  }

  /** Ends what hangs. */
  public void release() {
    closed.countDown();
  }

  @Override
  public void close() {
    release();
  }
}

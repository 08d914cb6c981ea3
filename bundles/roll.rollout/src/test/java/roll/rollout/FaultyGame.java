package roll.rollout;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.option.Option;
import roll.api.option.Options;

/**
 * A world of three turns and reward 1. Episodes whose seed's digit before the last is below {@code
 * sick} do what none may do, the first {@code times} times that the seed is played.
 */
public final class FaultyGame implements Environment {
  private static final Option<String> TROUBLE =
      Option.text("trouble", "what sick episodes do").withDefault("none");
  private static final Option<Integer> SICK =
      Option.integer("sick", 0, 10, "tenths of the seeds that are sick").withDefault(10);
  private static final Option<Integer> TIMES =
      Option.integer("times", 0, 1000, "how often they do it").withDefault(1000);
  private static final Option<Boolean> SCORES =
      Option.flag("scores", "whether the answer counts").withDefault(false);

  /** Episodes that were begun and not closed. */
  public final AtomicInteger open = new AtomicInteger();

  /** Ends the calls that never end by themselves. */
  public volatile boolean released;

  private final Map<Long, AtomicInteger> played = new ConcurrentHashMap<>();

  @Override
  public String description() {
    return "Three turns; 1 for each.";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(TROUBLE, SICK, TIMES, SCORES);
  }

  @Override
  public Scenario configure(Options options) {
    return Scenario.of("Play.", seed -> play(options, seed));
  }

  private Episode play(Options options, long seed) {
    boolean sick = seed / 10 % 10 < options.get(SICK);
    AtomicInteger times = played.computeIfAbsent(seed, key -> new AtomicInteger());
    boolean now = sick && times.getAndIncrement() < options.get(TIMES);
    String trouble = now ? options.get(TROUBLE) : "none";
    if (trouble.equals("reset")) {
      throw new IllegalArgumentException("no such level");
    }
    open.incrementAndGet();
    return new Play(trouble, options.get(SCORES));
  }

  /** A map that throws. */
  private static final class Unreadable extends java.util.AbstractMap<String, Double> {
    @Override
    public java.util.Set<Map.Entry<String, Double>> entrySet() {
      throw new UnsupportedOperationException();
    }
  }

  private final class Play implements Episode {
    private final String trouble;
    private final boolean scores;
    private int turns;

    Play(String trouble, boolean scores) {
      this.trouble = trouble;
      this.scores = scores;
    }

    @Override
    public String observation() {
      return "turn " + turns;
    }

    @Override
    public List<String> actions() {
      return List.of("+", "-");
    }

    @Override
    @SuppressWarnings("NullAway") // that is the point
    public Step step(String response) {
      turns++;
      double reward = !scores || response.startsWith("+") ? 1 : 0;
      Step fine = new Step(observation(), reward, turns == 3, false, Map.of("turns", 1.0));
      return turns < 2 ? fine : troubled(fine);
    }

    @SuppressWarnings("NullAway")
    private Step troubled(Step fine) {
      return switch (trouble) {
        case "throw" -> throw new IllegalStateException("it broke");
        case "error" -> throw new StackOverflowError();
        case "null" -> null;
        case "nan" -> new Step("x", Double.NaN, false, false, Map.of());
        case "metric" -> new Step("x", 0, false, false, Map.of("m", Double.POSITIVE_INFINITY));
        case "text" -> new Step("x".repeat(3_000_000), 0, false, false, Map.of());
        case "half" -> new Step("a\ud83d", 0, false, false, Map.of());
        case "refused" -> new Step(CharTokenizer.REFUSED, 0, false, false, Map.of());
        case "interrupt" -> {
          Thread.currentThread().interrupt();
          yield fine;
        }
        case "map" -> new Step("x", 0, false, false, new Unreadable());
        case "sleep" -> {
          sleep();
          yield fine;
        }
        case "loop" -> {
          while (!released) {
            Thread.onSpinWait();
          }
          yield fine;
        }
        default -> fine;
      };
    }

    /** Waits and does not listen to interrupts. */
    private void sleep() {
      while (!released) {
        if (!Thread.interrupted()) {
          LockSupport.parkNanos(100_000_000);
        }
      }
    }

    @Override
    public void close() {
      open.decrementAndGet();
      if (trouble.equals("close")) {
        throw new IllegalStateException("does not close");
      }
    }
  }
}

package roll.rollout;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.NullMarked;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.option.Option;
import roll.api.option.Options;

/**
 * A small world: count from the seed's last digit up or down to the target by writing {@code +} or
 * {@code -}. It reports how long each answer was, and what it was.
 */
@NullMarked
public final class CountingGame implements Environment {
  /** The number to reach. */
  public static final Option<Integer> TARGET =
      Option.integer("target", 0, 100, "number to reach").withDefault(12);

  private static final Option<Boolean> RESTLESS =
      Option.flag("restless", "take a random time a step").withDefault(false);
  private static final Option<Integer> BREAKS_AT =
      Option.integer("breaks_at", -1000, 1000, "number it cannot stand").withDefault(-1000);
  private static final Option<Boolean> PICTURES =
      Option.flag("pictures", "show the number as a picture").withDefault(false);
  private static final Option<Boolean> BROKEN_SCALE =
      Option.flag("broken_scale", "rewards are no numbers").withDefault(false);

  private static final Option<Boolean> SPECIAL =
      Option.flag("special", "read special tokens").withDefault(false);

  /** Episodes that were begun and not closed. */
  public final AtomicInteger open = new AtomicInteger();

  @Override
  public String description() {
    return "Reach the target by adding and subtracting one; 1 for reaching it.";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(TARGET, RESTLESS, BREAKS_AT, PICTURES, BROKEN_SCALE, SPECIAL);
  }

  @Override
  public Scenario configure(Options options) {
    return new World(
        options.get(TARGET),
        options.get(RESTLESS),
        options.get(BREAKS_AT),
        options.get(BROKEN_SCALE),
        options.get(PICTURES),
        options.get(SPECIAL),
        open);
  }

  private record World(
      int target,
      boolean restless,
      int breaksAt,
      boolean brokenScale,
      boolean pictures,
      boolean readsSpecialTokens,
      AtomicInteger open)
      implements Scenario {
    @Override
    public String instruction() {
      return "Reach " + target + ".";
    }

    @Override
    public Episode reset(long seed) {
      open.incrementAndGet();
      return new Counting(this, (int) (seed % 10));
    }

    @Override
    public Map<String, Aggregation> aggregations() {
      return Map.of(
          "success", Aggregation.LAST,
          "ups", Aggregation.SUM,
          "least", Aggregation.MIN,
          "most", Aggregation.MAX,
          "start", Aggregation.FIRST);
    }
  }

  private static final class Counting implements Episode {
    private final World world;
    private int number;

    Counting(World world, int number) {
      this.world = world;
      this.number = number;
    }

    @Override
    public String observation() {
      return "at " + number;
    }

    @Override
    public Optional<BufferedImage> picture() {
      return world.pictures ? render() : Optional.empty();
    }

    @Override
    public List<String> actions() {
      return List.of("+", "-");
    }

    @Override
    public Step step(String response) {
      if (world.restless) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(100_000));
      }
      int before = number;
      boolean up = response.startsWith("+");
      number += up ? 1 : -1;
      if (number == world.breaksAt) {
        throw new IllegalStateException("cannot stand " + number);
      }
      boolean reached = number == world.target;
      return new Step(
          observation(),
          world.brokenScale ? Double.NaN : reached ? 1 : -0.125,
          reached,
          false,
          Map.of(
              "success",
              reached ? 1.0 : 0.0,
              "ups",
              up ? 1.0 : 0.0,
              "least",
              (double) number,
              "most",
              (double) number,
              "start",
              (double) before,
              "end_token",
              response.endsWith("<|im_end|>") ? 1.0 : 0.0));
    }

    @Override
    public void close() {
      world.open.decrementAndGet();
    }

    @Override
    public Optional<BufferedImage> render() {
      BufferedImage image = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB);
      image.setRGB(0, 0, number & 0xFFFFFF);
      return Optional.of(image);
    }
  }
}

package roll.cluster.environments;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;

/** A walk by chance, which a response pushes; what it does depends on seed and responses alone. */
final class WalkEnvironment implements Environment {
  static final Option<Integer> STEPS =
      Option.integer("steps", 1, 100, "Steps of an episode.").withDefault(5);
  static final Option<List<String>> WORDS =
      Option.texts("words", "Spoken words.").withDefault(List.of("a", "b"));

  final AtomicInteger steps = new AtomicInteger();
  final AtomicInteger open = new AtomicInteger();
  private final long millis;

  /** Completes when episodes may begin. */
  volatile CompletableFuture<Void> beginning = CompletableFuture.completedFuture(null);

  /** Suffix of each observation. */
  volatile Supplier<String> said = () -> "";

  /** Additional fact of an episode. */
  volatile Object fact = "none";

  /** Creates an environment whose steps take {@code millis}. */
  WalkEnvironment(long millis) {
    this.millis = millis;
  }

  @Override
  public String description() {
    return "A walk.";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(STEPS, WORDS);
  }

  @Override
  public Scenario configure(Options options) {
    int most = options.get(STEPS);
    if (most == 99) {
      throw new UserException("steps: not here");
    }
    return Scenario.of("Walk.", seed -> new Walk(seed, most));
  }

  /** Plays an episode and returns all values of its trajectory. */
  static List<Object> play(Scenario scenario, long seed) {
    List<Object> seen = new ArrayList<>(List.of(scenario.instruction(), scenario.aggregations()));
    try (Episode episode = scenario.reset(EpisodeStart.of(seed))) {
      seen.add(episode.observation());
      seen.add(episode.picture());
      Step step;
      do {
        String response = episode.respond(episode.expert().orElseThrow());
        seen.add(response);
        step = episode.step(response);
        seen.add(step);
        seen.add(episode.observation());
        seen.add(episode.actions());
      } while (!step.done());
      seen.add(episode.facts());
    }
    return seen;
  }

  private final class Walk implements Episode {
    private final SplittableRandom random;
    private final long seed;
    private final int most;
    private int taken;
    private double place;

    Walk(long seed, int most) {
      this.seed = seed;
      this.most = most;
      this.random = new SplittableRandom(seed);
      this.place = random.nextGaussian();
      open.incrementAndGet();
      beginning.join();
    }

    @Override
    public String observation() {
      return "at " + place + said.get();
    }

    @Override
    public List<String> actions() {
      return List.of("left", "right " + taken);
    }

    @Override
    public Optional<String> expert() {
      return Optional.of(place > 0 ? "left" : "right");
    }

    @Override
    public String respond(String action) {
      return "<" + action + ">";
    }

    @Override
    public Map<String, Object> facts() {
      return Map.of("seed", seed, "taken", List.of(taken, place), "else", fact);
    }

    @Override
    public Step step(String response) {
      steps.incrementAndGet();
      if (response.equals("throw")) {
        throw new IllegalStateException("a stone");
      }
      try {
        Thread.sleep(millis);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      place += random.nextGaussian() + response.length();
      taken++;
      return new Step(
          observation(), place / 3, taken == most, false, Map.of("place", place, "taken", 1.0));
    }

    @Override
    public void close() {
      open.decrementAndGet();
    }
  }
}

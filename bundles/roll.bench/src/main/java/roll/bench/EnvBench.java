package roll.bench;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonSyntaxException;
import com.google.gson.ToNumberPolicy;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import roll.api.data.RandomStreams;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.option.Option;
import roll.api.option.OptionType;
import roll.api.option.UserException;
import roll.runtime.option.YamlOptions;
import roll.text.Suggestion;

/**
 * How fast environments are: an agent that acts at random plays episode after episode on every
 * processor; beginning them and all observations count.
 */
final class EnvBench {
  private static final Gson JSON =
      new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();

  private static final String AGENTS = "agents=";

  private final PrintStream out;
  private final long nanos;

  /** A measurement that plays each environment twice for {@code seconds}: warming up, counting. */
  EnvBench(PrintStream out, double seconds) {
    this.out = out;
    this.nanos = (long) (seconds * 1e9);
  }

  /**
   * What was played.
   *
   * @param steps turns
   * @param episodes those that ended
   * @param successes those whose last step was one
   * @param seconds it took
   */
  private record Tally(long steps, long episodes, double successes, double seconds) {}

  /**
   * Measures.
   *
   * @param environments by id
   * @param words ids of those to measure, none for all, {@code key=value} options of them, and
   *     {@code agents=n}: so many play at once, which environments need that others play
   * @throws UserException if a word names no environment or no option
   */
  void run(Map<String, Environment> environments, List<String> words) {
    List<String> ids = new ArrayList<>(words.stream().filter(w -> w.indexOf('=') < 0).toList());
    List<String> settings =
        words.stream().filter(w -> w.indexOf('=') >= 0 && !w.startsWith(AGENTS)).toList();
    for (String id : ids) {
      if (!environments.containsKey(id)) {
        throw new UserException(
            "bench env: no environment '%s' (registered: %s)%s"
                .formatted(
                    id,
                    String.join(", ", environments.keySet()),
                    Suggestion.near(id, environments.keySet())));
      }
    }
    if (!settings.isEmpty() && ids.size() != 1) {
      throw new UserException(
          "bench env: options such as '"
              + settings.getFirst()
              + "' need the one environment they are for before them");
    }
    int threads = agents(words);
    out.printf("%nEnvironments, a random agent on %d threads, resets included%n", threads);
    BenchTable table =
        new BenchTable(out, 10, "environment", "steps/s", "episodes/s", "steps each", "success");
    for (String id : ids.isEmpty() ? List.copyOf(environments.keySet()) : ids) {
      if (!Thread.currentThread().isInterrupted()) {
        Environment environment = Objects.requireNonNull(environments.get(id));
        table.row(row(id, scenario(environment, settings), threads));
      }
    }
  }

  private static int agents(List<String> words) {
    for (String word : words) {
      if (word.startsWith(AGENTS)) {
        String number = word.substring(AGENTS.length());
        if (!number.matches("[1-9]\\d{0,3}")) {
          throw new UserException(
              "bench env: agents: expected an integer from 1 to 9999, found '" + number + "'");
        }
        return Integer.parseInt(number);
      }
    }
    return Runtime.getRuntime().availableProcessors();
  }

  private static Scenario scenario(Environment environment, List<String> settings) {
    Map<String, Object> options = new LinkedHashMap<>();
    List<String> texts =
        environment.options().stream()
            .filter(option -> option.type() instanceof OptionType.Text)
            .<String>map(Option::name)
            .toList();
    for (String setting : settings) {
      String key = setting.substring(0, setting.indexOf('='));
      String text = setting.substring(setting.indexOf('=') + 1);
      options.put(key, texts.contains(key) ? text : value(setting, text));
    }
    return environment.configure(YamlOptions.checked("bench env", options, environment.options()));
  }

  private static Object value(String setting, String text) {
    try {
      @Nullable Object value = JSON.fromJson(text, Object.class);
      if (value != null) {
        return whole(value);
      }
    } catch (JsonSyntaxException e) {
      // said below
    }
    throw new UserException("bench env: '" + setting + "': expected a JSON value after =");
  }

  /** Integers that fit one as {@link Integer}, which is what options are. */
  private static Object whole(Object value) {
    return switch (value) {
      case Long number when number == number.intValue() -> number.intValue();
      case List<?> list -> list.stream().map(EnvBench::whole).toList();
      default -> value;
    };
  }

  private Object[] row(String id, Scenario scenario, int threads) {
    List<Callable<Tally>> players = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      RandomGenerator random = RandomStreams.of(42, "roll.bench/stepping", i);
      players.add(
          () -> {
            play(scenario, random);
            return play(scenario, random);
          });
    }
    double steps = 0;
    double rate = 0;
    double episodeRate = 0;
    double episodes = 0;
    double successes = 0;
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (Future<Tally> played : pool.invokeAll(players)) {
        Tally tally = played.get();
        steps += tally.steps();
        rate += tally.steps() / tally.seconds();
        episodes += tally.episodes();
        episodeRate += tally.episodes() / tally.seconds();
        successes += tally.successes();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Object[] {id, "stopped"};
    } catch (ExecutionException e) {
      throw new IllegalStateException(id + " failed: " + e.getCause(), e);
    }
    return new Object[] {
      id, rate, episodeRate, steps / episodes, BenchTable.percent(successes / episodes)
    };
  }

  private Tally play(Scenario scenario, RandomGenerator random) {
    long start = System.nanoTime();
    long steps = 0;
    long episodes = 0;
    double successes = 0;
    while (System.nanoTime() - start < nanos && !Thread.currentThread().isInterrupted()) {
      try (Episode episode = scenario.reset(random.nextLong())) {
        episode.observation();
        Step step;
        do {
          List<String> actions = episode.actions();
          String response =
              actions.isEmpty() ? "" : episode.respond(actions.get(random.nextInt(actions.size())));
          step = episode.step(response);
          steps++;
        } while (!step.done());
        successes += step.metrics().getOrDefault("success", 0.0);
      }
      episodes++;
    }
    return new Tally(steps, episodes, successes, (System.nanoTime() - start) * 1e-9);
  }
}

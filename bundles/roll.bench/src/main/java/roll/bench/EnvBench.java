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
 * Measures the speed of environments: a random agent plays episodes on every processor; resets and
 * observations are included.
 */
final class EnvBench {
  private static final Gson JSON =
      new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();

  private static final String AGENTS = "agents=";

  private final PrintStream out;
  private final long nanos;

  /** A measurement that plays each environment for {@code seconds}, after a warm-up as long. */
  EnvBench(PrintStream out, double seconds) {
    this.out = out;
    this.nanos = (long) (seconds * 1e9);
  }

  /**
   * The episodes of an agent.
   *
   * @param steps number of turns
   * @param episodes number of complete episodes
   * @param successes number of successful episodes
   * @param seconds elapsed time
   */
  private record Tally(long steps, long episodes, double successes, double seconds) {}

  /**
   * Measures the speed of {@code environments}.
   *
   * @param environments by id
   * @param words ids (default: all), {@code key=value} options, and {@code agents=n} for the number
   *     of concurrent agents
   * @throws UserException if a word is no environment and no option
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
              + "' need exactly one environment before them");
    }
    int threads = agents(words);
    out.printf("%nEnvironments, random agents on %d threads, resets included%n", threads);
    BenchTable table =
        new BenchTable(out, 10, "environment", "steps/s", "episodes/s", "steps each", "success");
    for (String id : ids.isEmpty() ? List.copyOf(environments.keySet()) : ids) {
      if (!Thread.currentThread().isInterrupted()) {
        Environment environment = Objects.requireNonNull(environments.get(id));
        try (Scenario scenario = scenario(environment, settings)) {
          table.row(row(id, scenario, threads));
        }
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
      // reported below
    }
    throw new UserException("bench env: '" + setting + "': expected a JSON value after =");
  }

  /** Returns integers as {@link Integer}, the type of integer options. */
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

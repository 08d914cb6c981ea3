package roll.core.step;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;

/**
 * verl's numbers of a validation, by data source: of the N responses to a question the mean and its
 * deviation, and what the best, the worst and the most voted of n drawn ones are worth, all
 * averaged over questions. Draws are with replacement, 1000 of them, from a seed of their own.
 */
final class ValidationMetrics {
  private static final int DRAWS = 1000;
  private static final int SEED = 42;
  private static final String SOURCE = "data_source";
  private static final String REWARD = "reward";
  private static final String ACCURACY = "acc";

  private ValidationMetrics() {}

  /**
   * Adds the metrics {@code val-core/<source>/<variable>/…} and {@code val-aux/…}. The core has
   * {@code acc} where a reward told it, which is 0 of an answer that could not be graded, otherwise
   * {@code reward}: its mean, and best and vote of all N.
   */
  static void add(List<Trajectory> trajectories, Map<String, Double> metrics) {
    Map<String, List<Trajectory>> bySource = new TreeMap<>();
    for (Trajectory trajectory : trajectories) {
      bySource.computeIfAbsent(source(trajectory), key -> new ArrayList<>()).add(trajectory);
    }
    bySource.forEach(
        (source, own) -> {
          boolean graded =
              own.stream().anyMatch(Trajectory::graded)
                  && own.stream().allMatch(t -> accuracy(t) != null || !t.graded());
          variable(source, REWARD, !graded, own, Trajectory::score, metrics);
          if (graded) {
            ToDoubleFunction<Trajectory> value = t -> Objects.requireNonNullElse(accuracy(t), 0.0);
            variable(source, ACCURACY, true, own, value, metrics);
          }
        });
  }

  private static String source(Trajectory trajectory) {
    Object source = trajectory.facts().get(SOURCE);
    return source instanceof String name && !name.isBlank()
        ? name.replace('/', '_')
        : trajectory.tag();
  }

  /** Returns the result of the first reward that grades answers. */
  static @Nullable Double accuracy(Trajectory trajectory) {
    return trajectory.metrics().entrySet().stream()
        .filter(metric -> metric.getKey().matches("(reward/.+/)?" + ACCURACY))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }

  private static void variable(
      String source,
      String name,
      boolean core,
      List<Trajectory> trajectories,
      ToDoubleFunction<Trajectory> value,
      Map<String, Double> metrics) {
    Map<String, List<Trajectory>> questions = new LinkedHashMap<>();
    trajectories.forEach(
        t -> questions.computeIfAbsent(t.groupId(), group -> new ArrayList<>()).add(t));
    Map<String, List<Double>> found = new LinkedHashMap<>();
    int most = 0;
    for (List<Trajectory> responses : questions.values()) {
      most = Math.max(most, responses.size());
      double[] values = responses.stream().mapToDouble(value).toArray();
      question(values, votes(responses))
          .forEach((metric, x) -> found.computeIfAbsent(metric, m -> new ArrayList<>()).add(x));
    }
    String all = "(mean|best|maj)@" + most + "(/.*)?";
    found.forEach(
        (metric, of) ->
            metrics.put(
                "val-%s/%s/%s/%s"
                    .formatted(core && metric.matches(all) ? "core" : "aux", source, name, metric),
                of.stream().mapToDouble(x -> x).average().orElse(0)));
  }

  /**
   * The answers by number, equal ones alike, or null unless every response that was graded has one.
   */
  private static int @Nullable [] votes(List<Trajectory> responses) {
    List<String> answers = new ArrayList<>();
    for (Trajectory response : responses) {
      String answer = response.answer();
      if (answer == null && response.graded()) {
        return null;
      }
      answers.add(answer == null ? "" : answer);
    }
    return RewardShaping.numbers(answers);
  }

  /**
   * Returns the validation metrics of one question, whose responses have these {@code values}.
   *
   * @param votes number of each response's answer, or null where there are none
   */
  static Map<String, Double> question(double[] values, int @Nullable [] votes) {
    int all = values.length;
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("mean@" + all, mean(values));
    if (all == 1) {
      return metrics;
    }
    metrics.put("std@" + all, deviation(values));
    for (int n = 2; n < all; n *= 2) {
      drawn(values, votes, n, metrics);
    }
    drawn(values, votes, all, metrics);
    return metrics;
  }

  private static void drawn(
      double[] values, int @Nullable [] votes, int n, Map<String, Double> metrics) {
    double[] best = new double[DRAWS];
    double[] worst = new double[DRAWS];
    double[] voted = new double[DRAWS];
    MersenneTwister random = new MersenneTwister(SEED);
    for (int i = 0; i < DRAWS; i++) {
      int[] chosen = random.below(values.length, n);
      best[i] = Arrays.stream(chosen).mapToDouble(j -> values[j]).max().orElseThrow();
      worst[i] = Arrays.stream(chosen).mapToDouble(j -> values[j]).min().orElseThrow();
      voted[i] = votes == null ? 0 : values[elected(chosen, votes)];
    }
    put("best@" + n, best, metrics);
    put("worst@" + n, worst, metrics);
    if (votes != null) {
      put("maj@" + n, voted, metrics);
    }
  }

  /** The first of the {@code chosen} whose answer most of them have; of equals the first one. */
  private static int elected(int[] chosen, int[] votes) {
    int elected = chosen[0];
    long most = 0;
    for (int candidate : chosen) {
      long count = Arrays.stream(chosen).filter(j -> votes[j] == votes[candidate]).count();
      if (count > most) {
        most = count;
        elected = candidate;
      }
    }
    return elected;
  }

  private static void put(String name, double[] values, Map<String, Double> metrics) {
    metrics.put(name + "/mean", mean(values));
    metrics.put(name + "/std", deviation(values));
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(0);
  }

  /** Returns the population standard deviation of {@code values}. */
  private static double deviation(double[] values) {
    double mean = mean(values);
    return Math.sqrt(Arrays.stream(values).map(x -> (x - mean) * (x - mean)).average().orElse(0));
  }
}

package roll.shell.eval;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits.CutResponses;
import roll.api.config.RewardConfig;
import roll.api.data.Trajectory;
import roll.api.env.Step;
import roll.api.option.UserException;
import roll.api.reward.Grade;
import roll.runtime.plugin.PluginRegistry;
import roll.shell.grade.RowGrader;
import roll.shell.terminal.Json;
import roll.text.Suggestion;

/**
 * Grades stored responses by the rewards of a configuration, as rollouts do: the weighted scores
 * are added to the environment's own reward of the last turn.
 */
final class Regrading implements AutoCloseable {
  private static final String METRIC = "reward/";

  /** Remainders of a subtraction that are rounding errors. */
  private static final double ROUNDING = 1e-9;

  private final PluginRegistry plugins;
  private final Map<String, EnvConfig> environments;
  private final Map<String, List<Term>> terms = new LinkedHashMap<>();

  /** Creates the rewards of {@code environments} by tag; they are leased when first needed. */
  Regrading(PluginRegistry plugins, Map<String, EnvConfig> environments) {
    this.plugins = plugins;
    this.environments = environments;
  }

  /** A term of the reward. */
  private record Term(RowGrader grader, double weight) {}

  /**
   * Grades the results in {@code from} and writes them to {@code to}; nothing if one of them cannot
   * be graded.
   *
   * @throws UserException naming file and line of that one
   */
  void write(Path from, Path to) throws IOException, InterruptedException {
    List<String> lines = new ArrayList<>();
    EvalResults.forEach(
        from,
        (where, line, stored) -> {
          Trajectory graded = grade(where, stored);
          Map<String, @Nullable Object> fields = Json.object(where, line);
          fields.put("score", graded.score());
          fields.put("rewards", graded.rewards());
          fields.put("answer", graded.answer());
          fields.put("metrics", graded.metrics());
          lines.add(Json.line(fields));
        });
    Path file = to.resolve(EvalResults.FILE);
    Files.createDirectories(file.resolveSibling(""));
    Files.write(file, lines);
  }

  private Trajectory grade(String where, Trajectory stored) throws InterruptedException {
    EnvConfig environment = environments.get(stored.tag());
    if (environment == null) {
      throw new UserException(
          "%s: '%s' is not in custom_envs (allowed: %s)%s"
              .formatted(
                  where,
                  stored.tag(),
                  String.join(", ", environments.keySet()),
                  Suggestion.near(stored.tag(), environments.keySet())));
    }
    if (environment.limits().cut() == CutResponses.FAIL && stored.endsCut()) {
      return failed(ungraded(stored));
    }
    return grade(where, terms(environment), stored);
  }

  /** Returns the rewards of {@code environment}, added to {@link #terms} one by one for closing. */
  private List<Term> terms(EnvConfig environment) {
    List<Term> known = terms.get(environment.tag());
    if (known != null) {
      return known;
    }
    List<Term> own = new ArrayList<>();
    terms.put(environment.tag(), own);
    for (RewardConfig reward : environment.rewards()) {
      String where = "custom_envs." + environment.tag() + ".rewards";
      own.add(new Term(RowGrader.of(plugins, where, reward), reward.weight()));
    }
    return own;
  }

  private static Trajectory grade(String where, List<Term> terms, Trajectory stored)
      throws InterruptedException {
    Trajectory episode = ungraded(stored);
    double[] rewards = episode.rewards().clone();
    Map<String, Double> metrics = new LinkedHashMap<>(episode.metrics());
    String answer = null;
    for (Term term : terms) {
      Grade grade = term.grader().grade(where, episode);
      String metric = METRIC + term.grader().name();
      rewards[rewards.length - 1] += term.weight() * grade.score();
      metrics.put(metric, term.weight() * grade.score());
      grade.details().forEach((name, value) -> metrics.put(metric + "/" + name, value));
      answer = answer == null ? grade.answer() : answer;
    }
    return episode
        .withRewards(rewards, metrics)
        .withAnswer(answer == null ? stored.answer() : answer);
  }

  /** Returns the episode with the environment's own rewards and metrics alone. */
  private static Trajectory ungraded(Trajectory stored) {
    double[] rewards = stored.rewards().clone();
    int last = rewards.length - 1;
    Map<String, Double> metrics = new LinkedHashMap<>();
    stored
        .metrics()
        .forEach(
            (name, value) -> {
              if (!name.startsWith(METRIC)) {
                metrics.put(name, value);
              } else if (name.indexOf('/', METRIC.length()) < 0
                  && !name.equals(Trajectory.UNGRADED)) {
                rewards[last] -= value;
              }
            });
    if (Math.abs(rewards[last]) < ROUNDING) {
      rewards[last] = 0;
    }
    return stored.withRewards(rewards, metrics);
  }

  /** Returns the episode with a reward of 0 for the last turn, and as not solved. */
  private static Trajectory failed(Trajectory episode) {
    double[] rewards = episode.rewards().clone();
    rewards[rewards.length - 1] = 0;
    Map<String, Double> metrics = new LinkedHashMap<>(episode.metrics());
    metrics.computeIfPresent(Step.SUCCESS, (name, value) -> 0.0);
    return episode.withRewards(rewards, metrics);
  }

  @Override
  public void close() {
    terms.values().forEach(own -> own.forEach(term -> term.grader().close()));
  }
}

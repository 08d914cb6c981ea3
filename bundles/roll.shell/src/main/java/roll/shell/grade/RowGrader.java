package roll.shell.grade;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.config.RewardConfig;
import roll.api.data.Trajectory;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.plugin.Lease;
import roll.api.reward.AnswerGrader;
import roll.api.reward.AnswerKey;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RewardModels;
import roll.runtime.option.YamlOptions;
import roll.runtime.plugin.PluginRegistry;
import roll.shell.syntax.KeyValues;
import roll.text.OneLine;
import roll.text.Suggestion;

/**
 * A configured reward or grader that grades rows.
 *
 * @param name of the reward or grader
 * @param reward computes the grades
 * @param key field of the known answer, or null if none is needed
 * @param conversation whether it needs the whole conversation
 * @param plugin lease, released by {@link #close}
 */
public record RowGrader(
    String name, Reward reward, @Nullable AnswerKey key, boolean conversation, Lease<?> plugin)
    implements AutoCloseable {
  private static final String REWARD = "roll.reward";
  private static final String GRADER = "roll.grader";

  /**
   * Returns the reward {@code name}, or else the grader of that name.
   *
   * @param settings its options, key=value
   * @throws UserException if there is neither, an option is invalid, or it needs models of a run
   */
  static RowGrader of(PluginRegistry plugins, String name, List<String> settings) {
    Lease<RewardFunction> reward = plugins.lease(RewardFunction.class, REWARD, name);
    if (reward != null) {
      return closingOnFailure(
          reward,
          () -> of(name, name, reward, KeyValues.of(name, settings, reward.service().options())));
    }
    Lease<AnswerGrader> grader = plugins.lease(AnswerGrader.class, GRADER, name);
    if (grader != null) {
      return closingOnFailure(grader, () -> ofGrader(name, grader, settings));
    }
    throw unknown(plugins, name);
  }

  /**
   * Returns the reward {@code config} of a configuration.
   *
   * @param where its place, for messages
   * @throws UserException if it is missing, an option is invalid, or it needs models of a run
   */
  public static RowGrader of(PluginRegistry plugins, String where, RewardConfig config) {
    Lease<RewardFunction> lease =
        plugins.require(where, RewardFunction.class, REWARD, config.reward());
    String place = where + "." + config.reward();
    return closingOnFailure(lease, () -> of(place, config.reward(), lease, config.options()));
  }

  private static RowGrader of(
      String where, String name, Lease<RewardFunction> lease, Map<String, Object> settings) {
    RewardFunction function = lease.service();
    Options options = YamlOptions.checked(where, settings, function.options());
    List<Option<String>> models = function.models(options);
    if (!models.isEmpty()) {
      throw new UserException(
          where
              + ": "
              + models.getFirst().name()
              + " names a model of reward_models, which only a training run has");
    }
    return new RowGrader(
        name,
        function.configure(options),
        function.answerKey(options),
        function.readsConversation(options),
        lease);
  }

  private static RowGrader ofGrader(String name, Lease<AnswerGrader> lease, List<String> settings) {
    List<Option<?>> known = new ArrayList<>(List.of(AnswerKey.OPTION));
    known.addAll(lease.service().options());
    Options options = YamlOptions.checked(name, KeyValues.of(name, settings, known), known);
    AnswerKey key = AnswerKey.of(options);
    AnswerGrader grader = lease.service().configure(options);
    Reward reward =
        (episode, models) -> {
          String response = episode.finalResponse();
          boolean right =
              key.answers(episode).stream().anyMatch(gold -> grader.equal(gold, response));
          return Grade.of(right, grader.answer(response).orElse(null));
        };
    return new RowGrader(name, reward, key, false, lease);
  }

  private static RowGrader closingOnFailure(
      Lease<?> lease, java.util.function.Supplier<RowGrader> of) {
    try {
      return of.get();
    } catch (RuntimeException e) {
      lease.close();
      throw e;
    }
  }

  private static UserException unknown(PluginRegistry plugins, String name) {
    for (String kind : List.of(REWARD, GRADER)) {
      String bundle = plugins.lacking(kind, name);
      if (bundle != null) {
        return new UserException(
            "grade: this distribution lacks the bundle %s, which offers %s '%s'"
                .formatted(bundle, kind, name));
      }
    }
    List<String> rewards = plugins.names(RewardFunction.class, REWARD);
    List<String> graders = plugins.names(AnswerGrader.class, GRADER);
    List<String> all = new ArrayList<>(rewards);
    all.addAll(graders);
    return new UserException(
        "grade: no reward or grader '%s' (rewards: %s; graders: %s)%s"
            .formatted(name, shown(rewards), shown(graders), Suggestion.near(name, all)));
  }

  private static String shown(List<String> names) {
    return names.isEmpty() ? "none" : String.join(", ", names);
  }

  /**
   * Returns the grade of {@code episode}, without details that are not finite.
   *
   * @param where place of the episode, for messages
   * @throws UserException with {@code where}, and the line of the plugin's source that failed
   */
  public Grade grade(String where, Trajectory episode) throws InterruptedException {
    Grade grade;
    try {
      grade = reward.grade(episode, RewardModels.NONE);
    } catch (UserException e) {
      String line = String.valueOf(e.getMessage());
      throw line.startsWith(where) ? e : new UserException(where + ": " + line, e);
    } catch (RuntimeException | StackOverflowError e) {
      throw new UserException(
          where + ": cannot be graded: " + OneLine.of(e) + place(e.getStackTrace()), e);
    }
    if (!Double.isFinite(grade.score())) {
      throw new UserException(
          "%s: cannot be graded: the score of %s is %s".formatted(where, name, grade.score()));
    }
    Map<String, Double> details = new LinkedHashMap<>(grade.details());
    details.values().removeIf(value -> !Double.isFinite(value));
    return new Grade(grade.score(), details, grade.answer());
  }

  /** Returns the innermost source line outside of the JDK, in parentheses. */
  private static String place(StackTraceElement[] stack) {
    return Arrays.stream(stack)
        .filter(frame -> !frame.getClassName().startsWith("java.") && frame.getLineNumber() > 0)
        .findFirst()
        .map(frame -> " (" + frame.getFileName() + ":" + frame.getLineNumber() + ")")
        .orElse("");
  }

  /** Returns the accepted answers of {@code row}; empty if none is needed. */
  List<String> known(Trajectory row) {
    return key == null ? List.of() : key.answers(row);
  }

  @Override
  public void close() {
    try {
      reward.close();
    } finally {
      plugin.close();
    }
  }
}

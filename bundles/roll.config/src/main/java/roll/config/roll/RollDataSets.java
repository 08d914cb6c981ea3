package roll.config.roll;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.text.Suggestion;

/**
 * ROLL's environments {@code roll_math} and {@code roll_qa}, which ask the questions of a data set
 * and grade the answer: {@code dataset} with a reward.
 *
 * @param question field of the question where the file names none
 * @param reward that grades
 * @param options options of the reward beside the answer field
 */
record RollDataSets(String question, String reward, Map<String, Object> options) {
  private static final Map<String, RollDataSets> BY_TYPE =
      Map.of(
          "roll_math", new RollDataSets("problem", "math_verify", Map.of()),
          "roll_qa", new RollDataSets("question", "em", Map.of("answer_tag", "answer")));

  private static final String NAME = "dataset_name";

  /** Known keys: the first three are read; the others have counterparts in the run's keys. */
  private static final List<String> KNOWN =
      List.of(NAME, "question_key", "answer_key", "split", "seed", "mode", "max_steps");

  /**
   * Replaces type, options and reward of {@code environment} if it is {@code roll_math} or {@code
   * roll_qa}.
   *
   * @throws UserException if an option is unknown, or there is no data set
   */
  static void translate(EnvironmentSection environment) {
    String type = String.valueOf(environment.get("env_type"));
    RollDataSets kind = BY_TYPE.get(type);
    Map<String, @Nullable Object> options = environment.mapping("env_config");
    if (kind == null || options == null) {
      return;
    }
    for (String key : options.keySet()) {
      if (!KNOWN.contains(key)) {
        throw environment.wrong(
            "env_config." + key,
            "unknown key of %s (allowed: %s)%s"
                .formatted(type, String.join(", ", KNOWN), Suggestion.near(key, KNOWN)));
      }
    }
    Object name = options.get(NAME);
    if (name == null) {
      throw new UserException(
          "%s: %senv_config.%s is missing"
              .formatted(
                  environment.draft().where(environment.path() + "env_config"),
                  environment.path(),
                  NAME));
    }
    environment.put("env_type", "dataset");
    environment.put("env_config", kind.files(name, options));
    environment.put("rewards", kind.rewards(environment, options));
    environment
        .notices()
        .add(
            "custom_envs.*.env_type %s is read as dataset with the reward %s: %s is a file or a folder, for training and validation"
                .formatted(type, kind.reward, NAME));
  }

  private Map<String, @Nullable Object> files(Object name, Map<String, @Nullable Object> options) {
    Map<String, @Nullable Object> files = new LinkedHashMap<>();
    files.put("train_files", name);
    files.put("val_files", name);
    files.put("prompt_key", options.getOrDefault("question_key", question));
    return files;
  }

  private Map<String, @Nullable Object> rewards(
      EnvironmentSection environment, Map<String, @Nullable Object> options) {
    Map<String, @Nullable Object> rewards = new LinkedHashMap<>();
    Map<String, @Nullable Object> given = environment.mapping("rewards");
    if (given != null) {
      rewards.putAll(given);
    }
    Map<String, @Nullable Object> grading = new LinkedHashMap<>(this.options);
    grading.put("answer_key", options.getOrDefault("answer_key", "answer"));
    rewards.putIfAbsent(reward, grading);
    return rewards;
  }
}

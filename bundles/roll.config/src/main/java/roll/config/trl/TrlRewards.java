package roll.config.trl;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.option.UserException;
import roll.config.dialect.TranslatedKeys;

/** TRL's rewards: a reward model, functions of its library, and the user's. */
final class TrlRewards {
  private static final String MODEL = "reward_model_name_or_path";
  private static final String FUNCTIONS = "reward_funcs";
  private static final String WEIGHTS = "reward_weights";
  private static final String REWARDS = "custom_envs.Trl.rewards";
  private static final String ROLE = "reward_models.rm.";

  /** TRL's penalty of long answers, with the lengths that its scripts give it. */
  private static final String OVERLONG = "get_soft_overlong_punishment";

  private static final Map<String, Integer> OVERLONG_LENGTHS =
      Map.of("max_length", 1280, "buffer", 256);

  /** Functions of {@code trl.rewards} that the scripts know by name. */
  private static final List<String> LIBRARY =
      List.of("accuracy_reward", "reasoning_accuracy_reward", "think_format_reward");

  private final TrlOptions options;
  private final TranslatedKeys ours;

  private final TrlDataFiles files;

  TrlRewards(TrlOptions options, TranslatedKeys ours, TrlDataFiles files) {
    this.options = options;
    this.ours = ours;
    this.files = files;
  }

  /**
   * Writes the rewards, each with its weight.
   *
   * @throws UserException if there is none, or a weight too few
   */
  void put() {
    List<String> names = new ArrayList<>(options.texts(FUNCTIONS));
    boolean model = options.has(MODEL);
    if (names.isEmpty() && !model) {
      if (TrlTools.play(options)) {
        ours.put(TrlTools.PYTHON + "get_reward", !ours.has(REWARDS));
        ours.put("custom_envs.Trl.no_reward", true);
      } else if (!ours.has(REWARDS)) {
        throw new UserException(
            "%s is missing: no reward grades the responses (my_module.my_reward, %s, or an environment_factory with get_reward)"
                .formatted(options.where(FUNCTIONS), MODEL));
      }
      return;
    }
    List<Double> weights = weights(names.size() + (model ? 1 : 0));
    if (model) {
      ours.copy(ROLE + "model_args.model_name_or_path", MODEL);
      ours.put(ROLE + "model_args.model_type", "auto_sequence_classification", MODEL);
      ours.put(
          ROLE + "device_mapping",
          "list(range(0," + TrlModel.devices(options, ours) + "))",
          "num_processes");
      ours.put(REWARDS + ".model", Map.of("weight", weights.removeFirst(), "model", "rm"), MODEL);
    }
    int overlong = names.indexOf(OVERLONG);
    if (overlong >= 0) {
      names.remove(overlong);
      Map<String, Object> penalty = new LinkedHashMap<>(OVERLONG_LENGTHS);
      penalty.put("weight", weights.remove(overlong));
      ours.put(REWARDS + ".overlong", penalty, FUNCTIONS);
    }
    if (!names.isEmpty()) {
      names.replaceAll(this::full);
      ours.put(REWARDS + ".python." + FUNCTIONS, names, FUNCTIONS);
      ours.put(REWARDS + ".python." + WEIGHTS, weights, WEIGHTS);
      if (TrlTools.play(options)) {
        String environment = files.function(options.text(TrlTools.ENVIRONMENT));
        ours.put(REWARDS + ".python." + TrlTools.ENVIRONMENT, environment);
      }
    }
  }

  /** Returns the dotted name of {@code function}, or its file with its name. */
  private String full(String function) {
    if (LIBRARY.contains(function)) {
      options.notice(
          "reward_funcs %s is read as trl.rewards.%s: it runs in Python, where the package trl must be (%s.python.python names the interpreter)"
              .formatted(function, function, REWARDS));
      return "trl.rewards." + function;
    }
    if (!function.contains(".")) {
      throw options.wrong(
          FUNCTIONS,
          "one of %s, %s, module.function or file.py:function"
              .formatted(String.join(", ", LIBRARY), OVERLONG),
          function);
    }
    return files.function(function);
  }

  private List<Double> weights(int count) {
    List<Double> weights = new ArrayList<>();
    if (!(options.value(WEIGHTS) instanceof List<?> given)) {
      for (int i = 0; i < count; i++) {
        weights.add(1.0);
      }
      return weights;
    }
    for (Object weight : given) {
      if (!(weight instanceof Number number)) {
        throw options.wrong(WEIGHTS, "numbers", weight);
      }
      weights.add(number.doubleValue());
    }
    if (weights.size() != count) {
      throw options.wrong(WEIGHTS, "a weight for each of %d rewards".formatted(count), given);
    }
    return weights;
  }
}

package roll.config.verl;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.dialect.TranslatedKeys;

/**
 * verl's reward model: a token classifier of one label whose score, where there is one, is the
 * whole reward of an answer.
 */
final class VerlRewardModel {
  private static final String RM = "reward_model.";
  private static final String ENABLE = RM + "enable";
  private static final String PATH = RM + "model.path";
  private static final String FUNCTION = "custom_reward_function.path";
  private static final String LENGTH = RM + "max_length";
  private static final String MICRO = RM + "micro_batch_size_per_gpu";
  private static final String MICRO_OF_ALL = RM + "micro_batch_size";
  private static final String BY_TOKENS = RM + "use_dynamic_bsz";
  private static final String TOKENS = RM + "forward_max_token_len_per_gpu";

  private static final String NAME = "rm";
  private static final String OURS = "reward_models." + NAME + ".";
  private static final String REWARD = "custom_envs.Dataset.rewards.model";

  private final VerlOptions options;
  private final TranslatedKeys ours;

  /** Creates the translation of {@code options}. */
  VerlRewardModel(VerlOptions options, TranslatedKeys ours) {
    this.options = options;
    this.ours = ours;
  }

  /** Whether the run has a reward model. */
  static boolean isIn(VerlOptions options) {
    return options.flag(ENABLE);
  }

  /**
   * Sets the score of the reward model as the reward; {@code other}, if given, has no effect.
   *
   * @throws UserException if a reward function is named too, which in verl queries the model
   *     itself; verl's older workers ignore the function
   */
  static void reward(VerlOptions options, TranslatedKeys ours, String... other) {
    if (options.given(FUNCTION) && !Boolean.FALSE.equals(options.value(RM + "use_reward_loop"))) {
      throw new UserException(
          "%s: not together with %s: in verl the function asks the model, over a server that is not here; a reward of either alone is read"
              .formatted(options.where(FUNCTION), options.written(ENABLE)));
    }
    ours.put(REWARD, Map.of("weight", 1, "model", NAME), ENABLE);
    for (String option : other) {
      if (options.given(option)) {
        options.notice(
            "key '%s' has no effect here: with %s the model's score is the whole reward"
                .formatted(options.written(option), ENABLE));
      }
    }
  }

  /**
   * Writes the reward model's keys.
   *
   * @param devices how many there are; it lies on all of them
   * @throws UserException if it is not named
   */
  void put(int devices) {
    if (!isIn(options)) {
      for (String option : List.of(PATH, LENGTH, MICRO, MICRO_OF_ALL, BY_TOKENS, TOKENS)) {
        if (options.given(option)) {
          options.notice("key '" + option + "' has no effect here: " + ENABLE + " is false");
        }
      }
      return;
    }
    if (!options.given(PATH)) {
      throw new UserException(
          options.where(ENABLE) + ": " + PATH + " is missing: it names the model");
    }
    ours.copy(OURS + "model_args.model_name_or_path", PATH);
    ours.put(OURS + "model_args.model_type", "auto_token_classification", ENABLE);
    ours.put(OURS + "model_args.dtype", "bf16");
    ours.put(OURS + "data_args.template", "native");
    ours.put(OURS + "device_mapping", "list(range(0," + devices + "))");
    ours.copy(OURS + "sequence_length", LENGTH);
    Integer samples = samples(devices);
    if (samples != null) {
      ours.put(OURS + "infer_batch_size", samples, MICRO, MICRO_OF_ALL);
    }
    if (options.flag(BY_TOKENS)) {
      ours.put(OURS + "use_dynamic_batching_in_infer", true, BY_TOKENS);
      ours.copy(OURS + "max_tokens_per_microbatch_in_infer", TOKENS);
    }
  }

  private @Nullable Integer samples(int devices) {
    if (options.given(MICRO)) {
      return options.integer(MICRO);
    }
    return options.given(MICRO_OF_ALL)
        ? Integer.valueOf(Math.max(1, options.integer(MICRO_OF_ALL) / devices))
        : null;
  }
}

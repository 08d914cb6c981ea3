package roll.config.verl;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import roll.api.option.UserException;
import roll.config.dialect.TranslatedKeys;

/**
 * Translates verl's data files to a custom environment with the agent that answers their questions.
 */
final class VerlEnvironment {
  private static final String DATASET = "custom_envs.Dataset.";
  private static final String FILES = "data.train_files";
  private static final String VALIDATION = "data.val_files";
  private static final String BEFORE = "trainer.val_before_train";
  private static final String TURNS = "agent.max_turns";
  private static final String EACH = "agent.max_tokens_per_turn";
  private static final String RESPONSE = "actor_rollout_ref.rollout.response_length";
  private static final String LONGEST = "data.max_response_length";
  private static final String REWARD = "agent.init_args.reward_name";
  private static final String CUSTOM = "custom_reward_function.";
  private static final String OVERLONG = "reward_model.reward_kwargs.overlong_buffer_cfg.";

  /** Exact match of the content of the answer tag. */
  private static final String EXACT = "qa_em_reward";

  private static final String REWARDS = DATASET + "rewards";

  private final VerlOptions options;
  private final TranslatedKeys ours;

  /** Creates the translation of {@code options}. */
  VerlEnvironment(VerlOptions options, TranslatedKeys ours) {
    this.options = options;
    this.ours = ours;
  }

  /**
   * Writes the environment and the length limits of its episodes.
   *
   * @throws UserException if there is an agent and no question
   */
  void put() {
    lengths();
    if (!options.given(FILES) && !ours.has(DATASET + "env_type")) {
      if (options.agent()) {
        throw new UserException("data.train_files is missing: an agent answers its questions");
      }
      if (VerlRewardModel.isIn(options)) {
        options.notice(
            "the model reward_models.rm is asked by no reward: custom_envs.<tag>.rewards.model"
                + " names it");
      }
      if (options.given(BEFORE)) {
        ours.copy("val_before_train", BEFORE);
      }
      return;
    }
    ours.put(DATASET + "env_type", "dataset");
    files();
    ours.put("train_env_manager.tags", List.of("Dataset"));
    ours.put("val_env_manager.tags", List.of("Dataset"));
    if (options.agent()) {
      ours.put(DATASET + "agent", Map.of());
    }
    ours.put(DATASET + "max_steps", options.agent() ? options.integer(TURNS) : 1, TURNS);
    if (VerlRewardModel.isIn(options)) {
      VerlRewardModel.reward(options, ours, CUSTOM + "path", REWARD, OVERLONG + "enable");
    } else if (options.given(CUSTOM + "path")) {
      for (String name : List.of("path", "name", "reward_kwargs")) {
        if (options.given(CUSTOM + name)) {
          ours.copy(REWARDS + ".python." + name, CUSTOM + name);
        }
      }
    } else if (options.has(REWARD)) {
      reward();
    } else if (!ours.has(REWARDS) && !ours.has(DATASET + "no_reward")) {
      String key = "data.reward_fn_key";
      ours.put(
          REWARDS + ".data_source",
          options.given(key) ? Map.of("weight", 1, "key", options.text(key)) : 1,
          key);
      options.notice(
          "no reward is named, so each row is graded as verl grades the data set that its field "
              + options.text(key)
              + " names: "
              + REWARDS
              + ".data_source");
    }
    if (!VerlRewardModel.isIn(options)) {
      overlong();
    }
    validation();
  }

  /** Translates the penalty of verl's manager {@code dapo} for answers that are nearly too long. */
  private void overlong() {
    String buffer = OVERLONG;
    String most = "reward_model.reward_kwargs.max_resp_len";
    boolean dapo = options.text("reward_model.reward_manager").equals("dapo");
    if (!options.flag(buffer + "enable")) {
      return;
    }
    if (!dapo) {
      options.notice(
          "key '%senable' has no effect here: reward_model.reward_manager is not dapo"
              .formatted(buffer));
      return;
    }
    for (String needed : List.of(buffer + "len", most)) {
      if (!options.has(needed)) {
        throw new UserException("%s: is missing, and %senable is true".formatted(needed, buffer));
      }
    }
    String ours = REWARDS + ".overlong.";
    this.ours.copy(ours + "weight", buffer + "penalty_factor");
    this.ours.copy(ours + "max_length", most);
    this.ours.copy(ours + "buffer", buffer + "len");
  }

  private void files() {
    ours.copy(DATASET + "env_config.train_files", FILES);
    ours.copy(DATASET + "env_config.val_files", VALIDATION);
    for (String name : List.of("shuffle", "filter_overlong_prompts", "image_key")) {
      if (options.given("data." + name)) {
        ours.copy(DATASET + "env_config." + name, "data." + name);
      }
    }
    if (ours.has("prompt_length")) {
      ours.copy(DATASET + "max_prompt_length", "data.max_prompt_length");
    }
    if (options.given("data.truncation")) {
      ours.copy(DATASET + "truncation", "data.truncation");
    }
    if (options.integer("data.train_max_samples") >= 0) {
      ours.copy(DATASET + "env_config.max_samples", "data.train_max_samples");
    }
  }

  /** Sets the reward of an AgentFly name, which is matched in lower case. */
  private void reward() {
    String name = options.text(REWARD).toLowerCase(Locale.ROOT);
    boolean tagged = name.equals(EXACT);
    String key = REWARDS + "." + (tagged ? "em" : name);
    if (!ours.has(REWARDS) || (options.given(REWARD) && !ours.has(key))) {
      ours.put(key, tagged ? Map.of("weight", 1, "answer_tag", "answer") : 1, REWARD);
    }
  }

  /** Tokens of a response are those of all turns; one turn has as many at most. */
  private void lengths() {
    boolean given = options.given(RESPONSE) || options.given(LONGEST);
    if (ours.has("sequence_length") && !given) {
      return;
    }
    String from = options.given(RESPONSE) ? RESPONSE : LONGEST;
    ours.copy("response_length", from);
    if (!ours.has("sequence_length") || options.given("data.max_prompt_length")) {
      ours.copy("prompt_length", "data.max_prompt_length");
    }
    int most = options.integer(from);
    if (options.has(EACH)) {
      most = Math.min(most, options.integer(EACH));
      ours.put(DATASET + "max_tokens_per_step", most, EACH);
    }
    for (String manager : List.of("train_env_manager", "val_env_manager")) {
      ours.put(manager + ".generating_args.max_new_tokens", most);
    }
  }

  private void validation() {
    if (options.given(VALIDATION) || ours.has(DATASET + "env_config.val_files")) {
      ours.copy("val_before_train", BEFORE);
    } else {
      ours.put("val_before_train", false);
      if (options.integer("trainer.test_freq") > 0) {
        options.notice("key 'trainer.test_freq' has no effect here: there are no data.val_files");
      }
    }
  }
}

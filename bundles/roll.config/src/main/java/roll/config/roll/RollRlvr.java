package roll.config.roll;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.tree.YamlTree;

/**
 * Translates files of ROLL's RLVR pipeline: for each domain an environment of type {@code dataset}
 * asks the questions of {@code actor_train.data_args} that are of this domain, and rewards are
 * normalized and advantages whitened within it.
 */
final class RollRlvr {
  private static final String RESPONSES = "num_return_sequences_in_group";
  private static final String BATCH = "rollout_batch_size";
  private static final String VALIDATION = "validation.data_args.file_name";
  private static final String DATA = "actor_train.data_args.";
  private static final String PIXELS = DATA + "image_max_pixels";
  private static final int ROLLS_BATCH = 128;
  private static final int ROLLS_PROMPT = 1024;

  /** Keys that ROLL does not read, and the values of others that switch nothing on. */
  private static final List<String> DEAD =
      List.of(
          "reward_norm",
          "reward_shift",
          "reward_scale",
          "mask_type",
          "balance_length",
          "minibatch_data_iter_num",
          "val_greedy",
          "val_n_sample",
          "postive_loss_coef",
          "positive_loss_coef",
          "use_topr_neg_loss_coef",
          "use_policy_loss_type",
          "use_topr_loss",
          "dataset_filter",
          "use_additional_prompts",
          "error_max_len_threshold",
          DATA + "interleave_probs",
          DATA + "dataset_dir");

  private final PipelineFile file;

  RollRlvr(PipelineFile file) {
    this.file = file;
  }

  /**
   * Replaces the keys of the pipeline by ours.
   *
   * @throws UserException naming the first key that cannot be had here, and what is missing
   */
  void translate() {
    file.draft()
        .notice(
            "a file of ROLL's RLVR pipeline: ./roll train runs it, with an environment dataset for"
                + " each domain and one response an episode");
    translateRollouts();
    new RlvrAlgorithm(file).translateEstimator();
  }

  /** Replaces all but the keys of the estimator. */
  void translateRollouts() {
    boolean validates = file.get(VALIDATION) != null;
    int questions = count(BATCH, ROLLS_BATCH);
    int prompt = count("prompt_length", ROLLS_PROMPT);
    int whole = length(prompt);
    boolean pictures = hasPictures();
    RlvrRewards rewards =
        new RlvrRewards(file, pictures ? "reward_model.ground_truth" : "ground_truth");
    Map<String, @Nullable Object> tags = rewards.domainsByTag();
    Map<String, Integer> shares = rewards.questions(questions);
    Map<String, Map<String, @Nullable Object>> graded = rewards.translate(validates, whole);
    refuseWhatIsMissing();
    DEAD.forEach(key -> file.drop(key, null, "ROLL does not read it either"));
    file.drop("save_logging_board_dir", null, "logging_steps saves trajectories");
    int responses = count(RESPONSES, 1);
    file.take(RESPONSES);
    file.put(BATCH, Math.multiplyExact(questions, responses));
    file.draft().moved().accept("train_env_manager.group_size", RESPONSES);
    file.put("train_env_manager.group_size", responses);
    lengths(prompt, whole);
    Map<String, @Nullable Object> files = files();
    for (Map.Entry<String, Map<String, @Nullable Object>> domain : graded.entrySet()) {
      environment(domain.getKey(), files, tags, domain.getValue(), prompt);
      if (!shares.containsKey(domain.getKey())) {
        file.take("custom_envs." + domain.getKey() + ".env_config.train_files");
      }
    }
    file.put("train_env_manager.tags", List.copyOf(shares.keySet()));
    file.put("train_env_manager.num_groups_partition", List.copyOf(shares.values()));
    file.put(
        "val_env_manager.tags",
        List.copyOf(graded.keySet()).subList(0, validates ? graded.size() : 1));
    validation(validates);
    new RlvrAlgorithm(file).translateLoss();
    new RlvrDevices(file).put();
    file.put("whiten_grouping", "tags");
    List.of("reference", "critic").forEach(role -> file.take(role + ".data_args.template"));
    if (file.get("whiten_advantages") == null) {
      file.put("whiten_advantages", false);
    }
  }

  /** ROLL's script for pictures reads rows of another form, those of Orsta's data sets. */
  private boolean hasPictures() {
    Map<String, @Nullable Object> rewards = YamlTree.mapping(file.get("rewards"));
    return file.get(PIXELS) != null
        || (rewards != null
            && rewards.values().stream()
                .map(YamlTree::mapping)
                .anyMatch(
                    worker ->
                        worker != null
                            && String.valueOf(worker.get("worker_cls"))
                                .endsWith("." + RlvrWorkers.DETECTION)));
  }

  private void refuseWhatIsMissing() {
    templates();
    file.refuse("difficulty_loss_weight", false, "losses are not weighted by difficulty");
    file.refuse("length_loss_weight", false, "losses are not weighted by length");
    file.refuse("error_max_len_clip", false, "wrong responses are not masked by their length");
    file.refuse("rl_loss_coef", 1.0, "the policy loss has no coefficient");
    file.refuse("is_use_additional_prompts", false, "questions are not asked in excess");
    file.refuse("user_defined_rollout_loop_cls", null, "a rollout loop in Python is not run");
    file.refuse(DATA + "custom_data_kwargs_func", null, "a function in Python is not run");
    file.refuse(DATA + "prompt", null, "questions are messages, which the chat template renders");
  }

  /** The templates of tags may be written out where they are that of all. */
  private void templates() {
    String tags = "tag_to_template";
    Map<String, @Nullable Object> named = YamlTree.mapping(file.get(tags));
    Object global = file.get("global_template");
    Object all = global == null ? file.get(DATA + "template") : global;
    if (named != null && named.values().stream().allMatch(one -> YamlTree.same(one, all))) {
      file.take(tags);
    }
    file.refuse(tags, null, "one chat template renders the questions of all tags");
  }

  private int count(String path, int standard) {
    Object value = file.get(path);
    if (value == null) {
      return standard;
    }
    if (value instanceof Integer n && n > 0 && n <= 1_000_000) {
      return n;
    }
    throw file.wrong(path, "expected an integer of at least 1, found " + YamlTree.shown(value));
  }

  /** Returns the maximum number of tokens of a prompt and its response. */
  private int length(int prompt) {
    int whole =
        file.get("sequence_length") == null
            ? Math.addExact(prompt, count("response_length", 0))
            : count("sequence_length", 0);
    if (whole <= prompt) {
      throw new UserException(
          "%s: prompt_length %d leaves nothing of sequence_length %d for a response (give response_length)"
              .formatted(file.draft().where("prompt_length"), prompt, whole));
    }
    return whole;
  }

  /** A response has what the longest prompt leaves. */
  private void lengths(int prompt, int whole) {
    file.take("response_length");
    file.take("prompt_length");
    file.put("sequence_length", whole);
    for (String sampling : List.of("actor_infer", "validation")) {
      if (file.get(sampling + ".generating_args") != null) {
        file.put(sampling + ".generating_args.max_new_tokens", whole - prompt);
      }
    }
  }

  /** Removes the data files and returns them as options of a data set. */
  private Map<String, @Nullable Object> files() {
    Map<String, @Nullable Object> files = new LinkedHashMap<>();
    files.put("train_files", file.take(DATA + "file_name"));
    if (file.get(VALIDATION) != null) {
      files.put("val_files", file.take(VALIDATION));
    }
    file.refuse(
        "validation.data_args.image_max_pixels",
        file.get(PIXELS),
        "pictures of validation have the limit of actor_train's");
    file.refuse(DATA + "image_min_pixels", 3136, "preprocessor_config.json has the minimum");
    Object pixels = file.take(PIXELS);
    if (pixels != null) {
      files.put("image_max_pixels", pixels);
    }
    Object messages = file.take(DATA + "messages");
    files.put("prompt_key", messages == null ? "messages" : messages);
    file.template("actor_train", "actor_infer");
    file.take("actor_infer.generating_args.num_return_sequences");
    return files;
  }

  /** Adds the environment of a domain; longer prompts are left out. */
  private void environment(
      String domain,
      Map<String, @Nullable Object> files,
      Map<String, @Nullable Object> tags,
      Map<String, @Nullable Object> rewards,
      int prompt) {
    String environment = "custom_envs." + domain;
    Map<String, @Nullable Object> options = new LinkedHashMap<>(files);
    options.put("filter_overlong_prompts", true);
    options.put("domain", domain);
    options.put("domain_tags", new LinkedHashMap<>(tags));
    file.put(environment + ".env_type", "dataset");
    file.put(environment + ".max_steps", 1);
    file.put(environment + ".max_prompt_length", prompt);
    file.put(environment + ".env_config", options);
    file.put(environment + ".rewards", rewards);
    file.draft().moved().accept(environment + ".env_config.train_files", DATA + "file_name");
    file.draft().moved().accept(environment + ".env_config.val_files", VALIDATION);
  }

  private void validation(boolean validates) {
    if (validates) {
      String repeated = "validation.generating_args.num_return_sequences";
      file.put("val_env_manager.group_size", count(repeated, 1));
      file.take(repeated);
      file.move("validation.generating_args", "val_env_manager.generating_args", null);
      file.put("val_batch_size", -1);
    } else {
      file.put("eval_steps", 0);
    }
    file.end("validation", Set.of("data_args", "generating_args", "eval_steps"));
  }
}

package roll.config.trl;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.config.dialect.TranslatedKeys;

/** The questions, lengths and sampling of TRL's episodes. */
final class TrlEpisodes {
  private static final String ENVIRONMENT = "custom_envs.Trl.";
  private static final String SAMPLING = "train_env_manager.generating_args.";
  private static final String COMPLETION = "max_completion_length";
  private static final String CONTEXT = "vllm_max_model_length";
  private static final String PROMPT = "max_prompt_length";
  private static final String OTHERS = "generation_kwargs";
  private static final String ENGINE = "actor_infer.strategy_args.";

  /** Keys of {@code generation_kwargs} by their names here. */
  private static final Map<String, String> KNOWN =
      Map.of(
          "temperature", "temperature",
          "top_p", "top_p",
          "top_k", "top_k",
          "min_p", "min_p",
          "repetition_penalty", "repetition_penalty",
          "min_new_tokens", "min_new_tokens",
          "min_tokens", "min_new_tokens",
          "stop", "stop_strings",
          "stop_strings", "stop_strings");

  private final TrlOptions options;
  private final TranslatedKeys ours;
  private final TrlDataFiles files;

  TrlEpisodes(TrlOptions options, TranslatedKeys ours, TrlDataFiles files) {
    this.options = options;
    this.ours = ours;
    this.files = files;
  }

  /** Writes the keys of the environment and of sampling. */
  void put() {
    questions();
    lengths();
    sampling();
    engine();
    new TrlTools(options, ours, files).put();
    new TrlRewards(options, ours, files).put();
  }

  private void questions() {
    if (options.flag("remove_unused_columns")) {
      throw options.refused("remove_unused_columns", true, "rewards are given all columns");
    }
    ours.put(ENVIRONMENT + "env_type", "dataset");
    ours.put(ENVIRONMENT + "env_config.train_files", files.train(), "dataset_name", "datasets");
    List<String> validation = files.validation();
    if (!validation.isEmpty()) {
      ours.put(ENVIRONMENT + "env_config.val_files", validation, "dataset_name");
    }
    ours.put(ENVIRONMENT + "env_config.prompt_key", "prompt");
    ours.put(
        ENVIRONMENT + "env_config.shuffle", options.flag("shuffle_dataset"), "shuffle_dataset");
    ours.put(
        ENVIRONMENT + "cut_responses",
        options.flag("mask_truncated_completions") ? "mask" : "train",
        "mask_truncated_completions");
    Object variables = options.value("chat_template_kwargs");
    ours.put(
        "actor_infer.data_args.chat_template_kwargs",
        variables == null ? Map.of() : variables,
        "chat_template_kwargs");
    options.notice(
        "a prompt that is a text is a user's message here, in the model's chat template; TRL has it"
            + " continued as it is");
  }

  /** TRL's prompts have no limit, here they have one. */
  private void lengths() {
    int most = options.integer(COMPLETION);
    ours.copy("response_length", COMPLETION);
    ours.put(SAMPLING + "max_new_tokens", most, COMPLETION);
    if (options.has(PROMPT)) {
      ours.copy("prompt_length", PROMPT);
      ours.copy(ENVIRONMENT + "max_prompt_length", PROMPT);
      ours.put(ENVIRONMENT + "truncation", "left", PROMPT);
    } else if (options.has(CONTEXT)) {
      int prompt = options.integer(CONTEXT) - most;
      if (prompt < 1) {
        throw options.wrong(CONTEXT, "more than " + COMPLETION + " " + most, prompt + most);
      }
      ours.put("prompt_length", prompt, CONTEXT);
    } else if (!ours.has("prompt_length") && !ours.has("sequence_length")) {
      options.notice(
          "a prompt has at most 1024 tokens (prompt_length says another number); TRL has no limit");
    }
  }

  private void sampling() {
    for (String key : List.of("top_p", "top_k", "repetition_penalty", "min_p")) {
      Object own = own(key);
      if (own != null) {
        ours.put(SAMPLING + key, own, OTHERS);
        options.idle(key, OTHERS + " has it");
      } else {
        ours.copy(SAMPLING + key, key);
      }
    }
    Object own = own("temperature");
    Object temperature = own == null ? options.number("temperature") : own;
    ours.put(SAMPLING + "temperature", temperature, "temperature", OTHERS);
    if (!temperature.equals(1.0) && !temperature.equals(1) && !temperature.equals(0.0)) {
      ours.put("scale_logits_by_temperature", true, "temperature");
    }
    others();
  }

  private @Nullable Object own(String key) {
    return options.value(OTHERS) instanceof Map<?, ?> given ? given.get(key) : null;
  }

  private void others() {
    if (!(options.value(OTHERS) instanceof Map<?, ?> given)) {
      return;
    }
    given.forEach(
        (name, value) -> {
          String key = KNOWN.get(String.valueOf(name));
          if (key == null || value == null) {
            throw options.refused(OTHERS, name, "responses are sampled without it");
          }
          ours.put(SAMPLING + key, value, OTHERS);
        });
  }

  private void engine() {
    boolean vllm = options.flag("use_vllm");
    ours.put(ENGINE + "strategy_name", vllm ? "vllm" : "hf_infer", "use_vllm");
    String memory = "vllm_gpu_memory_utilization";
    String cut = "vllm_tensor_parallel_size";
    if (!vllm) {
      options.idle(memory, "use_vllm is false");
      options.idle(cut, "use_vllm is false");
      return;
    }
    if (options.given(memory)) {
      ours.copy(ENGINE + "strategy_config.gpu_memory_utilization", memory);
    }
    if (options.integer(cut) > 1) {
      ours.copy(ENGINE + "strategy_config.tensor_parallel_size", cut);
    }
  }
}

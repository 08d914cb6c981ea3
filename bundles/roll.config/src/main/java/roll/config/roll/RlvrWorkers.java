package roll.config.roll;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The reward workers of ROLL's RLVR pipeline that have counterparts here. */
final class RlvrWorkers {
  private static final String MATH = "MathRuleRewardWorker";
  private static final String CHOICE = "CrossThinkQARuleRewardWorker";
  private static final String IFEVAL = "GeneralRuleRewardWorker";
  private static final String CODE = "CodeSandboxRewardWorker";
  private static final String JUDGE = "LLMJudgeRewardWorker";

  /** The model that several workers ask. */
  static final String SHARED = "reward_model";

  /** The worker of files with pictures. */
  static final String DETECTION = "DetectionRewardWorker";

  /** ROLL subtracts half the share of repeated 3-grams. */
  private static final Map<String, Object> REPETITION = Map.of("weight", 0.5, "ngram_size", 3);

  /** Tokens of the judge's prompt beside question, answer and response, and of its verdict. */
  private static final int VERDICT = 1024;

  /** Seconds that ROLL gives a test. */
  private static final int TEST = 20;

  private static final String PROMPT = "Qwen2.5-7B-Instruct-RLVR-prompt";

  private final PipelineFile file;
  private final Map<String, Object> answer;

  /**
   * Reads workers of {@code file}.
   *
   * @param answer field of the reference answers
   */
  RlvrWorkers(PipelineFile file, String answer) {
    this.file = file;
    this.answer = Map.of("answer_key", answer);
  }

  /** Whether there is a counterpart of {@code worker}. */
  boolean built(String worker) {
    return Set.of(MATH, CHOICE, IFEVAL, CODE, JUDGE, DETECTION).contains(worker);
  }

  /**
   * Returns the rewards of the worker at {@code path}.
   *
   * @param length maximum tokens of a prompt and its response
   * @param unread keys of the worker, from which those that are read are removed
   */
  Map<String, @Nullable Object> translate(
      String worker, String domain, String path, int length, Set<String> unread) {
    return switch (worker) {
      case MATH -> rewards("math_verify", with(answer, "part", "conclusion"));
      case CHOICE -> {
        String type = read(path, "reward_type", unread);
        file.refuse(path + ".response_length_penalty_coef", 0.0, "lengths have no penalty");
        unread.remove("response_length_penalty_coef");
        Map<String, @Nullable Object> all =
            rewards("multiple_choice", with(answer, "reward_type", type));
        all.put("repetition", new LinkedHashMap<>(REPETITION));
        yield all;
      }
      case IFEVAL -> {
        file.draft().notice(path + ": instructions about the language of the response score 0");
        Map<String, @Nullable Object> all = rewards("ifeval", answer);
        all.put("repetition", new LinkedHashMap<>(REPETITION));
        yield all;
      }
      case CODE -> {
        file.refuse(path + ".use_local", true, "programs run in a sandbox here, not at a URL");
        unread.removeAll(List.of("use_local", "code_url"));
        yield rewards("code_sandbox", Map.of("time_limit", TEST));
      }
      case DETECTION -> {
        Object model = file.get(path + ".model_args.model_name_or_path");
        yield rewards(
            "detection",
            with(answer, "processor_folder", model == null ? file.get("pretrain") : model));
      }
      default -> {
        Map<String, @Nullable Object> options = judge(domain, path, length, unread);
        yield rewards("llm_judge", options);
      }
    };
  }

  private static Map<String, @Nullable Object> rewards(
      String name, Map<String, ? extends @Nullable Object> options) {
    Map<String, @Nullable Object> rewards = new LinkedHashMap<>();
    rewards.put(name, new LinkedHashMap<>(options));
    return rewards;
  }

  private static Map<String, @Nullable Object> with(
      Map<String, Object> options, String key, @Nullable Object value) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>(options);
    all.put(key, value);
    return all;
  }

  private String read(String path, String key, Set<String> unread) {
    unread.remove(key);
    Object value = file.get(path + "." + key);
    if (value == null) {
      throw file.wrong(path, key + " is missing");
    }
    return String.valueOf(value);
  }

  /** A model of the run, or an endpoint, says yes or no. */
  private Map<String, @Nullable Object> judge(
      String domain, String path, int length, Set<String> unread) {
    if (!read(path, "judge_prompt", unread).equals(PROMPT)) {
      throw file.wrong(path + ".judge_prompt", "expected " + PROMPT);
    }
    Map<String, @Nullable Object> options = with(answer, "prompt", prompt());
    options.put("accept", "yes");
    String type = read(path, "judge_model_type", unread);
    switch (type) {
      case "api" -> {
        options.put("base_url", read(path, "judge_api_url", unread));
        options.put("model_name", read(path, "judge_model_name", unread));
        options.put("api_key", read(path, "judge_api_key", unread));
        options.put("temperature", 1);
      }
      case "inference" -> {
        options.put("model", domain);
        model(domain, path, length);
      }
      case "cluster" -> {
        options.put("model", SHARED);
        if (file.get("reward_models." + SHARED) == null) {
          model(SHARED, SHARED, length);
        }
      }
      default ->
          throw file.wrong(
              path + ".judge_model_type",
              "expected api, cluster or inference, found '%s'".formatted(type));
    }
    return options;
  }

  private void model(String name, String path, int length) {
    if (file.get(path + ".model_args") == null) {
      throw file.wrong(path, "model_args are missing: they name the model that judges");
    }
    String role = "reward_models." + name;
    Object limit = file.get(path + ".strategy_args.strategy_config.max_model_len");
    file.take(path + ".model_args.model_type");
    for (String key :
        List.of(
            "model_args",
            "generating_args",
            "strategy_args",
            "device_mapping",
            "num_gpus_per_worker",
            "infer_batch_size")) {
      file.move(path + "." + key, role + "." + key, null);
    }
    Object template = file.get(path + ".data_args.template");
    file.template(
        path + ".data_args.template", template == null ? "native" : template.toString(), role);
    file.put(role + ".sequence_length", limit == null ? length + VERDICT : limit);
  }

  private static String prompt() {
    try (InputStream text =
        Objects.requireNonNull(RlvrWorkers.class.getResourceAsStream("rlvr-judge.txt"))) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

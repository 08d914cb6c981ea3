package roll.config.roll;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.build.DeviceMapping;
import roll.config.tree.YamlTree;
import roll.runtime.dialect.ConfigDraft;

/**
 * Translates role keys of ROLL that are located differently here: the gradient norm and the maximum
 * number of pictures, which are options of its strategies, and sequence parallelism, which is
 * replaced by whole sequences.
 */
final class RollRoles {
  private static final String NORM = "max_grad_norm";
  private static final String PICTURES = "limit_mm_per_prompt";
  private static final String STEPS = "gradient_accumulation_steps";
  private static final String SEQUENCES = "per_device_train_batch_size";
  private static final String TYPE = "model_type";
  private static final String FROZEN = "freeze_module_prefix";
  private static final Pattern TOWER = Pattern.compile("\\b(model\\.visual|vision_model)\\b");
  private static final String PER_WORKER = "num_gpus_per_worker";

  private final ConfigDraft draft;

  /** Creates the translation of role keys for {@code draft}, which is changed. */
  RollRoles(ConfigDraft draft) {
    this.draft = draft;
  }

  /**
   * Replaces ROLL's keys by ours; a value of the wrong type remains and is refused by the schema.
   *
   * @throws UserException naming the first key that cannot be translated
   */
  void translate() {
    for (String role : List.of("actor_train", "critic")) {
      gradientNorm(role);
      wholeSequences(role, true);
    }
    List<String> roles = references(draft);
    roles.forEach(role -> wholeSequences(role, false));
    roles.addAll(List.of("actor_train", "actor_infer", "critic"));
    for (String role : roles) {
      sixteenBits(role);
      tower(role);
      devicesOfAnEngine(role);
    }
    valueHead();
    maxPictures();
  }

  /** Returns the names of reference and teachers. */
  static List<String> references(ConfigDraft draft) {
    List<String> references = new ArrayList<>(List.of("reference"));
    Map<String, @Nullable Object> teachers = YamlTree.mapping(draft.tree().get("teachers"));
    if (teachers != null) {
      teachers.keySet().forEach(name -> references.add("teachers." + name));
    }
    return references;
  }

  /** ROLL overwrites it with the one at the top; here two that differ are a mistake. */
  private void gradientNorm(String role) {
    String path = role + ".strategy_args.strategy_config";
    Map<String, @Nullable Object> options = mapping(path);
    if (options == null || !(options.get(NORM) instanceof Number norm)) {
      return;
    }
    Object top = draft.tree().get(NORM);
    if (top instanceof Number given && given.doubleValue() != norm.doubleValue()) {
      throw new UserException(
          "%s: %s.%s is %s and %s is %s; the latter is what counts: leave the former out"
              .formatted(draft.where(path + "." + NORM), path, NORM, norm, NORM, given));
    }
    draft.tree().put(NORM, norm);
    options.remove(NORM);
    draft.notice("%s.%s is read as %s".formatted(path, NORM, NORM));
  }

  /**
   * With n devices to a sequence a step of the optimizer has a nth of the samples that it has where
   * each device has sequences of its own, so it accumulates a nth as often here.
   */
  private void wholeSequences(String role, boolean trained) {
    long cut =
        pieces(role + ".model_args", "ulysses_size")
            * pieces(role + ".strategy_args.strategy_config", "context_parallel_size");
    if (cut == 1) {
      return;
    }
    String line =
        "%s: sequences are not cut over devices here (ulysses_size, context_parallel_size)"
            .formatted(role);
    if (!trained) {
      draft.notice(line + ": each has whole ones");
    } else if (!dividedTraining(role, cut, line) && !fewerDevices(role, cut, line)) {
      String at = role + ".training_args." + STEPS;
      Object steps = YamlTree.at(draft.tree(), at);
      throw new UserException(
          "%s: %s: expected a multiple of %d, found %s: %s, so each of %d devices has sequences of its own and accumulates that much less often"
              .formatted(
                  draft.where(at), at, cut, YamlTree.shown(steps == null ? 1 : steps), line, cut));
    }
  }

  /** Divides the number of sequences that a device has for a step. Returns whether it can be. */
  private boolean dividedTraining(String role, long cut, String line) {
    Map<String, @Nullable Object> training = mapping(role + ".training_args");
    for (String key : List.of(STEPS, SEQUENCES)) {
      if (training != null && training.get(key) instanceof Integer n && n % cut == 0) {
        training.put(key, Math.toIntExact(n / cut));
        draft.notice(
            "%s: each has whole ones, and %s is %d rather than %d, so that optimizer steps are the same"
                .formatted(line, key, n / cut, n));
        return true;
      }
    }
    return false;
  }

  /**
   * Leaves the role of supervised training as many devices as it has sequences at a time. Returns
   * whether that is so.
   */
  private boolean fewerDevices(String role, long cut, String line) {
    Map<String, @Nullable Object> worker = mapping(role);
    String path = role + ".device_mapping";
    boolean supervised = draft.tree().get("sft") != null || draft.tree().get("preference") != null;
    if (worker == null || !supervised) {
      return false;
    }
    List<Integer> all = DeviceMapping.devices(draft.where(path), worker.get("device_mapping"));
    if (all.isEmpty() || all.size() % cut != 0) {
      return false;
    }
    int fewer = Math.toIntExact(all.size() / cut);
    worker.put("device_mapping", all.subList(0, fewer));
    draft.notice(
        "%s: each has whole ones, and the first %d of %d train, so that optimizer steps are the same"
            .formatted(line, fewer, all.size()));
    return true;
  }

  /** Removes the sequence-parallel size and returns it. */
  private long pieces(String path, String key) {
    Map<String, @Nullable Object> options = mapping(path);
    if (options == null || !(options.get(key) instanceof Integer n) || n < 2 || n > 4096) {
      return 1;
    }
    options.remove(key);
    return n;
  }

  /** The other format of 16 bits has the range of 32, so nothing is scaled against underflow. */
  private void sixteenBits(String role) {
    Map<String, @Nullable Object> model = mapping(role + ".model_args");
    if (model != null && "fp16".equals(model.get("dtype"))) {
      model.put("dtype", "bf16");
      draft.notice(
          "%s.model_args.dtype fp16 is read as bf16: there is no fp16 here".formatted(role));
    }
  }

  /** Names of a vision tower in transformers 5 and in Megatron. */
  private void tower(String role) {
    Map<String, @Nullable Object> model = mapping(role + ".model_args");
    if (model != null && model.get(FROZEN) instanceof String names) {
      String ours = TOWER.matcher(names).replaceAll("visual");
      if (!ours.equals(names)) {
        model.put(FROZEN, ours);
        draft.notice("%s.model_args.%s %s is read as %s".formatted(role, FROZEN, names, ours));
      }
    }
  }

  /** A causal language model with a head of one value is a token classifier of one label. */
  private void valueHead() {
    String path = "critic.model_args";
    Map<String, @Nullable Object> model = mapping(path);
    if (model != null && "trl".equals(model.get(TYPE))) {
      model.put(TYPE, "auto_token_classification");
      draft.notice(
          "%s.%s trl is read as auto_token_classification, whose new head begins with other values"
              .formatted(path, TYPE));
    }
  }

  /** Removes the number of devices of an engine of vLLM or SGLang, which are all of the role's. */
  private void devicesOfAnEngine(String role) {
    Map<String, @Nullable Object> worker = mapping(role);
    Object strategy = YamlTree.at(draft.tree(), role + ".strategy_args.strategy_name");
    boolean engine = "vllm".equals(strategy) || "sglang".equals(strategy);
    if (engine && worker != null && worker.get(PER_WORKER) instanceof Integer n && n > 1) {
      worker.remove(PER_WORKER);
      draft.notice(
          "key '%s.%s' has no effect here: all devices of the role are one engine"
              .formatted(role, PER_WORKER));
    }
  }

  /** Moves vLLM's limit of pictures to every environment without its own. */
  private void maxPictures() {
    String path = "actor_infer.strategy_args.strategy_config";
    Map<String, @Nullable Object> options = mapping(path);
    Map<String, @Nullable Object> environments = mapping("custom_envs");
    if (options == null
        || YamlTree.mapping(options.get(PICTURES)) == null
        || environments == null) {
      return;
    }
    Map<String, @Nullable Object> limit = YamlTree.mapping(options.remove(PICTURES));
    environments
        .values()
        .forEach(
            value -> {
              Map<String, @Nullable Object> environment = YamlTree.mapping(value);
              if (environment != null && environment.get(PICTURES) == null && limit != null) {
                environment.put(PICTURES, new LinkedHashMap<>(limit));
              }
            });
    draft.notice("%s.%s is read as that of each of custom_envs".formatted(path, PICTURES));
  }

  private @Nullable Map<String, @Nullable Object> mapping(String path) {
    return YamlTree.mapping(YamlTree.at(draft.tree(), path));
  }
}

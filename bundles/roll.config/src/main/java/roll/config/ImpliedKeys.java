package roll.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.config.tree.YamlTree;

/** Fills in configuration keys that are implied by other keys. */
final class ImpliedKeys {
  private static final int NOMINAL_LENGTH = 8192;
  private static final String CORRECTION = "train_infer_correction";
  private static final String OWN_LOG_PROBS = "force_disable_old_logprobs_recompute";

  private ImpliedKeys() {}

  /**
   * Completes {@code tree} where it names no model: a length, and settings of sampling, of which
   * agents may read some.
   */
  static void withoutModel(Map<String, @Nullable Object> tree) {
    if (tree.get("pretrain") != null
        || YamlTree.at(tree, "actor_train.model_args.model_name_or_path") != null) {
      return;
    }
    if (tree.get("sequence_length") == null && tree.get("response_length") == null) {
      tree.put("sequence_length", NOMINAL_LENGTH);
    }
    sampling(tree);
  }

  /** Completes the settings of sampling where {@code tree} has none. */
  static void sampling(Map<String, @Nullable Object> tree) {
    boolean drawn =
        List.of("actor_infer", "train_env_manager").stream()
            .anyMatch(section -> YamlTree.at(tree, section + ".generating_args") != null);
    if (!drawn) {
      Map<String, @Nullable Object> manager = YamlTree.mapping(tree.get("train_env_manager"));
      Map<String, @Nullable Object> completed = new LinkedHashMap<>();
      if (manager != null) {
        completed.putAll(manager);
      }
      completed.put("generating_args", new LinkedHashMap<String, @Nullable Object>());
      tree.put("train_env_manager", completed);
    }
  }

  /**
   * Turns importance weights on where the engine of {@code tree} is quantized and {@code tree} says
   * nothing of a correction, not even that there is none; adds to {@code notices} that it did. An
   * engine that samples with rounded weights is another policy than the one that is trained, so
   * each token is weighted by how likely the trained one makes it; where the old log-probs are the
   * engine's own, the ratio of the policy loss does that already.
   */
  static void correction(Map<String, @Nullable Object> tree, List<String> notices) {
    if (YamlTree.at(tree, "actor_infer.strategy_args.strategy_config.quantization") == null
        || tree.containsKey(CORRECTION)) {
      return;
    }
    if (Boolean.TRUE.equals(tree.get(OWN_LOG_PROBS))) {
      notices.add(
          "actor_infer is quantized: with %s: true the ratio of the policy loss corrects for it"
              .formatted(OWN_LOG_PROBS));
      return;
    }
    Map<String, @Nullable Object> weight = new LinkedHashMap<>();
    weight.put("enabled", true);
    Map<String, @Nullable Object> correction = new LinkedHashMap<>();
    correction.put("is_weight", weight);
    tree.put(CORRECTION, correction);
    notices.add(
        "actor_infer is quantized: train_infer_correction.is_weight is enabled"
            + " (train_infer_correction: ~ turns it off)");
  }
}

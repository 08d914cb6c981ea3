package roll.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.config.tree.KeyOrigins;
import roll.config.tree.YamlTree;

/** Fills in configuration keys that are implied by other keys. */
final class ImpliedKeys {
  private static final int NOMINAL_LENGTH = 8192;
  private static final String CORRECTION = "train_infer_correction";
  private static final String ASYNC = "async_generation_ratio";
  private static final String PARTIAL = "partial_rollout";
  private static final String PARTIAL_CACHE = "partial_rollout_cache";
  private static final String OPTIONS = "actor_infer.strategy_args.strategy_config.";
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
      section(tree, "train_env_manager")
          .put("generating_args", new LinkedHashMap<String, @Nullable Object>());
    }
  }

  /**
   * Returns the section {@code key} of {@code tree}, replaced by a copy that may be changed. What
   * is no section stays, to be refused by the schema.
   */
  private static Map<String, @Nullable Object> section(
      Map<String, @Nullable Object> tree, String key) {
    Map<String, @Nullable Object> copy = new LinkedHashMap<>();
    Map<String, @Nullable Object> found = YamlTree.mapping(tree.get(key));
    if (found != null) {
      copy.putAll(found);
    }
    if (found != null || tree.get(key) == null) {
      tree.put(key, copy);
    }
    return copy;
  }

  /**
   * Moves {@code partial_rollout} and {@code partial_rollout_cache} of {@code tree} to the options
   * of the engine of actor_infer; a synchronous run has no use for them. Wrong values are left for
   * the schema to refuse.
   */
  static void partialRollout(
      Map<String, @Nullable Object> tree, KeyOrigins origins, List<String> notices) {
    for (String key : List.of(PARTIAL, PARTIAL_CACHE)) {
      Object value = tree.get(key);
      boolean right =
          key.equals(PARTIAL)
              ? value instanceof Boolean
              : "recompute".equals(value) || "keep".equals(value);
      if (!right) {
        continue;
      }
      tree.remove(key);
      if (isAsynchronous(tree)) {
        section(section(section(tree, "actor_infer"), "strategy_args"), "strategy_config")
            .put(key, value);
        origins.put(OPTIONS + key, origins.of(key));
      } else {
        notices.add(
            "%s has no effect: with %s: 0 weights change between rollouts".formatted(key, ASYNC));
      }
    }
  }

  private static boolean isAsynchronous(Map<String, @Nullable Object> tree) {
    return tree.get(ASYNC) instanceof Number ratio && ratio.doubleValue() > 0;
  }

  /**
   * Turns importance weights on where {@code tree} has a quantized engine or a partial rollout and
   * says nothing of a correction, not even that there is none; adds to {@code notices} that it did.
   * A quantized engine is another policy than the one that is trained, and the tokens of a partial
   * rollout come from several, so each token is weighted by how likely the trained one makes it;
   * where the old log-probs are the engine's own, the ratio of the policy loss does that already.
   */
  static void correction(Map<String, @Nullable Object> tree, List<String> notices) {
    boolean quantized = YamlTree.at(tree, OPTIONS + "quantization") != null;
    boolean partial =
        isAsynchronous(tree) && Boolean.TRUE.equals(YamlTree.at(tree, OPTIONS + PARTIAL));
    if (!(quantized || partial) || tree.containsKey(CORRECTION)) {
      return;
    }
    String reason = quantized ? "actor_infer is quantized" : PARTIAL;
    if (Boolean.TRUE.equals(tree.get(OWN_LOG_PROBS))) {
      notices.add(
          "%s: with %s: true the ratio of the policy loss corrects for it"
              .formatted(reason, OWN_LOG_PROBS));
      return;
    }
    Map<String, @Nullable Object> weight = new LinkedHashMap<>();
    weight.put("enabled", true);
    Map<String, @Nullable Object> correction = new LinkedHashMap<>();
    correction.put("is_weight", weight);
    tree.put(CORRECTION, correction);
    notices.add(
        reason
            + ": train_infer_correction.is_weight is enabled"
            + " (train_infer_correction: ~ turns it off)");
  }
}

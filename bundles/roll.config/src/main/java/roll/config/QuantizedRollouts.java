package roll.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.config.tree.Tree;

/**
 * What follows from an engine that samples with rounded weights: it is another policy than the one
 * that is trained, so each token is weighted by how likely the trained one makes it. Where the old
 * log-probs are the engine's own, the ratio of the policy loss does that already.
 */
final class QuantizedRollouts {
  private static final String CORRECTION = "train_infer_correction";
  private static final String OWN_LOG_PROBS = "force_disable_old_logprobs_recompute";

  private QuantizedRollouts() {}

  /**
   * Turns importance weights on where the engine of {@code tree} is quantized and {@code tree} says
   * nothing of a correction, not even that there is none; adds to {@code notices} that it did.
   */
  static void complete(Map<String, @Nullable Object> tree, List<String> notices) {
    Object node = tree;
    for (String key : List.of("actor_infer", "strategy_args", "strategy_config", "quantization")) {
      Map<String, @Nullable Object> mapping = Tree.mapping(node);
      node = mapping == null ? null : mapping.get(key);
    }
    if (node == null || tree.containsKey(CORRECTION)) {
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

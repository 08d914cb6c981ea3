package roll.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.config.tree.Tree;

/** What a rollout that names no model need not say, since only a model would read it. */
final class WithoutModel {
  private static final int NOMINAL_LENGTH = 8192;

  private WithoutModel() {}

  /**
   * Completes {@code tree} where it names no model: a length, and settings of sampling, of which
   * agents may read some.
   */
  static void complete(Map<String, @Nullable Object> tree) {
    if (at(tree, "pretrain") != null
        || at(tree, "actor_train", "model_args", "model_name_or_path") != null) {
      return;
    }
    if (at(tree, "sequence_length") == null && at(tree, "response_length") == null) {
      tree.put("sequence_length", NOMINAL_LENGTH);
    }
    sampling(tree);
  }

  /** Completes the settings of sampling where {@code tree} has none. */
  static void sampling(Map<String, @Nullable Object> tree) {
    boolean drawn =
        List.of("actor_infer", "train_env_manager").stream()
            .anyMatch(section -> at(tree, section, "generating_args") != null);
    if (!drawn) {
      Map<String, @Nullable Object> manager = Tree.mapping(tree.get("train_env_manager"));
      Map<String, @Nullable Object> completed = new LinkedHashMap<>();
      if (manager != null) {
        completed.putAll(manager);
      }
      completed.put("generating_args", new LinkedHashMap<String, @Nullable Object>());
      tree.put("train_env_manager", completed);
    }
  }

  private static @Nullable Object at(Map<String, @Nullable Object> tree, String... keys) {
    Object node = tree;
    for (String key : keys) {
      Map<String, @Nullable Object> mapping = Tree.mapping(node);
      node = mapping == null ? null : mapping.get(key);
    }
    return node;
  }
}

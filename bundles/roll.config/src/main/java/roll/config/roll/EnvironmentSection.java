package roll.config.roll;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.tree.YamlTree;
import roll.runtime.dialect.ConfigDraft;

/**
 * An environment of {@code custom_envs} as the configuration file has it.
 *
 * @param path of its keys, with a dot at its end
 * @param keys its keys and values; to be changed
 * @param notices lines for the user, each once for all environments
 */
record EnvironmentSection(
    String path, Map<String, @Nullable Object> keys, ConfigDraft draft, Set<String> notices) {
  @Nullable Object get(String key) {
    return keys.get(key);
  }

  /** Returns the mapping at {@code key}, or null. */
  @Nullable Map<String, @Nullable Object> mapping(String key) {
    return YamlTree.mapping(keys.get(key));
  }

  void put(String key, @Nullable Object value) {
    keys.put(key, value);
  }

  @Nullable Object remove(String key) {
    return keys.remove(key);
  }

  /** Returns the error for the invalid value of {@code key}. */
  UserException wrong(String key, String problem) {
    return draft.wrong(path + key, problem);
  }
}

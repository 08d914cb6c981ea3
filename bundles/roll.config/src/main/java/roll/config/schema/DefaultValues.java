package roll.config.schema;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.config.tree.YamlReader;

/** Parses the defaults of a table of keys, of which most have one of a few texts. */
public final class DefaultValues {
  private final Map<String, @Nullable Object> known = new HashMap<>();

  /**
   * Returns the YAML value {@code text}; each mapping and list is a new one.
   *
   * @param key with that default, for messages
   */
  public @Nullable Object of(String key, String text) {
    if (known.containsKey(text)) {
      return known.get(text);
    }
    Object value = YamlReader.value("default of " + key, text);
    if (!(value instanceof Map || value instanceof Collection)) {
      known.put(text, value);
    }
    return value;
  }
}

package roll.config.dialect;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.tree.YamlTree;
import roll.runtime.dialect.ConfigDraft;

/** Writes the translated keys of another system into a tree of our keys. */
public final class TranslatedKeys {
  private final Map<String, @Nullable Object> tree;
  private final ConfigDraft draft;
  private final WrittenKeys options;
  private final Map<String, String> sources = new LinkedHashMap<>();

  /**
   * Creates the writer of translated keys into {@code draft}, which records the origin of each
   * value.
   */
  public TranslatedKeys(ConfigDraft draft, WrittenKeys options) {
    this.tree = draft.tree();
    this.draft = draft;
    this.options = options;
  }

  /** Whether this project's key {@code path} has a value. */
  public boolean has(String path) {
    return at(path) != null;
  }

  /**
   * Sets our key {@code path} to a {@code value} derived from the options {@code from}. If none of
   * these was written it is a default and does not replace an existing value.
   *
   * @throws UserException if both an option and our key were written, with different values
   */
  public void put(String path, Object value, String... from) {
    String source = Arrays.stream(from).filter(options::given).findFirst().orElse(null);
    Object before = at(path);
    if (before != null) {
      if (source != null && !YamlTree.same(before, value)) {
        throw new UserException(
            "%s sets the same value as '%s' (%s): keep one of them%s"
                .formatted(
                    options.where(source),
                    path,
                    draft.where(path),
                    value instanceof Number ? ", such as " + path + "=" + value : ""));
      }
      return;
    }
    List<String> keys = YamlTree.keys(path);
    Map<String, @Nullable Object> mapping = tree;
    for (String key : keys.subList(0, keys.size() - 1)) {
      Map<String, @Nullable Object> inner = YamlTree.mapping(mapping.get(key));
      Map<String, @Nullable Object> copy = new LinkedHashMap<>();
      if (inner != null) { // a mapping may be shared with another key that refers to it
        copy.putAll(inner);
      } else if (mapping.get(key) != null) {
        throw new UserException(draft.where(path) + ": " + path + ": expected a mapping around it");
      }
      mapping.put(key, copy);
      mapping = copy;
    }
    mapping.put(keys.getLast(), value);
    if (source != null) {
      sources.put(path, options.written(source));
      draft.moved().accept(path, options.written(source));
    }
  }

  /** The same for a value that is the option's own. */
  public void copy(String path, String from) {
    Object value = options.value(from);
    if (value != null) {
      put(path, value, from);
    }
  }

  /** Returns {@code notice} with the other system's name in place of the translated key. */
  public String inTheirWords(String notice) {
    String told = notice;
    for (Map.Entry<String, String> source : sources.entrySet()) {
      told = told.replace("key '" + source.getKey() + "'", "key '" + source.getValue() + "'");
    }
    return told;
  }

  /** Returns the value of our key {@code path}, or null. */
  public @Nullable Object at(String path) {
    return YamlTree.at(tree, path);
  }
}

package roll.config.tree;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/** Applies {@link KeyOverride}s to a tree: sets or removes single keys. */
public final class Overrides {
  private final Map<String, @Nullable Object> root;
  private final KeyOrigins origins;
  private int lookedUp;

  /** Creates the overrides of {@code root}, which is changed. */
  public Overrides(Map<String, @Nullable Object> root, KeyOrigins origins) {
    this.root = root;
    this.origins = origins;
  }

  /**
   * Applies {@code override} before interpolation. If its path leads through an interpolation of a
   * mapping, the key first gets a copy of that mapping.
   *
   * @throws UserException if it is not written as one, its path leads through a scalar, the key to
   *     add is there, or the one to take out is not
   */
  public void apply(String override) {
    KeyOverride parsed = KeyOverride.of(override);
    String where = parsed.where();
    List<String> keys = parsed.keys();
    lookedUp = 0;
    if (parsed.kind() == KeyOverride.Kind.DELETE) {
      delete(parsed);
      return;
    }
    Object value = parsed.read();
    Object node = root;
    for (int i = 0; i < keys.size() - 1; i++) {
      Object child = get(node, keys, i, where);
      String reference = Interpolation.whole(child);
      if (child == null) {
        child = new LinkedHashMap<String, @Nullable Object>();
        set(node, keys, i, child, where);
        origins.put(String.join(".", keys.subList(0, i + 1)), where);
      } else if (reference != null) {
        child = YamlTree.copy(lookedUp(reference, where));
        set(node, keys, i, child, where);
      }
      node = child;
    }
    if (parsed.kind() == KeyOverride.Kind.ADD && YamlTree.has(node, keys.getLast())) {
      throw new UserException(
          where + ": the key is there already; with ++ or without a + it is replaced");
    }
    set(node, keys, keys.size() - 1, value, where);
    String path = String.join(".", keys);
    origins.forget(path);
    origins.put(path, where);
  }

  private void delete(KeyOverride override) {
    List<String> keys = override.keys();
    Object node = root;
    for (int i = 0; i < keys.size() - 1 && node != null; i++) {
      node = YamlTree.has(node, keys.get(i)) ? YamlTree.get(node, keys.get(i)) : null;
    }
    Map<String, @Nullable Object> mapping = YamlTree.mapping(node);
    String key = keys.getLast();
    if (mapping == null || !mapping.containsKey(key)) {
      throw new UserException(override.where() + ": there is no such key that could be taken out");
    }
    if (override.value() != null) {
      Object asked = override.read();
      if (!YamlTree.same(asked, mapping.get(key))) {
        throw new UserException(
            override.where() + ": the value is " + YamlTree.shown(mapping.get(key)));
      }
    }
    mapping.remove(key);
    origins.forget(String.join(".", keys));
  }

  /**
   * Returns the raw value that {@code reference} leads to, through further interpolations if
   * needed.
   */
  private @Nullable Object lookedUp(String reference, String where) {
    if (++lookedUp > ConfigSizeLimits.DEPTH) {
      throw new UserException(
          "%s: ${%s} refers to itself, or leads through more than %d references"
              .formatted(
                  where, YamlTree.clipped(reference, KeyOverride.SHOWN), ConfigSizeLimits.DEPTH));
    }
    List<String> keys = YamlTree.keys(reference);
    Object node = root;
    for (int i = 0; i < keys.size(); i++) {
      node = get(node, keys, i, where);
      String further = Interpolation.whole(node);
      if (further != null) {
        node = lookedUp(further, where);
      }
    }
    return node;
  }

  private static @Nullable Object get(
      @Nullable Object node, List<String> keys, int i, String where) {
    Map<String, @Nullable Object> mapping = YamlTree.mapping(node);
    return mapping != null
        ? mapping.get(keys.get(i))
        : list(node, keys, i, where).get(index(node, keys, i, where));
  }

  private static void set(
      @Nullable Object node, List<String> keys, int i, @Nullable Object value, String where) {
    Map<String, @Nullable Object> mapping = YamlTree.mapping(node);
    if (mapping != null) {
      mapping.put(keys.get(i), value);
    } else {
      list(node, keys, i, where).set(index(node, keys, i, where), value);
    }
  }

  private static List<@Nullable Object> list(
      @Nullable Object node, List<String> keys, int i, String where) {
    List<@Nullable Object> list = YamlTree.list(node);
    if (list == null) {
      throw new UserException(
          where
              + ": '"
              + String.join(".", keys.subList(0, i))
              + "' is not a mapping but "
              + YamlTree.shown(node));
    }
    return list;
  }

  private static int index(@Nullable Object node, List<String> keys, int i, String where) {
    int size = list(node, keys, i, where).size();
    String key = keys.get(i);
    if (!key.matches("\\d{1,9}") || Integer.parseInt(key) >= size) {
      throw new UserException(
          where
              + ": '"
              + String.join(".", keys.subList(0, i))
              + "' has "
              + size
              + " elements, no element '"
              + key
              + "'");
    }
    return Integer.parseInt(key);
  }
}

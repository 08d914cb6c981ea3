package roll.config.tree;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.option.Secrets;

/** Sets single keys of a tree: {@code key.path=value}, with the value read as YAML. */
public final class Overrides {
  private static final int SHOWN = 200;

  private final Map<String, @Nullable Object> root;
  private final Origins origins;
  private int lookedUp;

  /** Over {@code root}, which is changed. */
  public Overrides(Map<String, @Nullable Object> root, Origins origins) {
    this.root = root;
    this.origins = origins;
  }

  /**
   * Applies {@code override} before interpolation. If its path leads through an interpolation of a
   * mapping, the key first gets a copy of that mapping.
   *
   * @throws UserException if it has no equals sign or its path leads through a scalar
   */
  public void apply(String override) {
    int equals = override.indexOf('=');
    String where = "override '" + shown(override, equals) + "'";
    if (equals < 1 || "+~".indexOf(override.charAt(0)) >= 0) {
      throw new UserException(where + ": expected key.path=value");
    }
    List<String> keys = Tree.keys(override.substring(0, equals).strip());
    if (keys.stream().anyMatch(key -> key.length() > Bounds.KEY)) {
      throw new UserException(where + ": a key of more than " + Bounds.KEY + " characters");
    }
    if (keys.size() > Bounds.PATH) {
      throw new UserException(where + ": at most " + Bounds.PATH + " keys in a path");
    }
    lookedUp = 0;
    Object value = YamlReader.value(where, override.substring(equals + 1));
    Object node = root;
    for (int i = 0; i < keys.size() - 1; i++) {
      Object child = get(node, keys, i, where);
      String reference = Interpolation.whole(child);
      if (child == null) {
        child = new LinkedHashMap<String, @Nullable Object>();
        set(node, keys, i, child, where);
        origins.put(String.join(".", keys.subList(0, i + 1)), where);
      } else if (reference != null) {
        child = Tree.copy(lookedUp(reference, where));
        set(node, keys, i, child, where);
      }
      node = child;
    }
    set(node, keys, keys.size() - 1, value, where);
    String path = String.join(".", keys);
    origins.forget(path);
    origins.put(path, where);
  }

  /** {@code override} for messages, without secrets. */
  private static String shown(String override, int equals) {
    return equals > 0 && Secrets.is(override.substring(0, equals).strip())
        ? Tree.clipped(override.substring(0, equals), SHOWN) + "=…"
        : Tree.clipped(override, SHOWN);
  }

  /** The raw value {@code reference} leads to, through further interpolations if need be. */
  private @Nullable Object lookedUp(String reference, String where) {
    if (++lookedUp > Bounds.DEPTH) {
      throw new UserException(
          "%s: ${%s} refers to itself, or leads through more than %d references"
              .formatted(where, Tree.clipped(reference, SHOWN), Bounds.DEPTH));
    }
    List<String> keys = Tree.keys(reference);
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
    Map<String, @Nullable Object> mapping = Tree.mapping(node);
    return mapping != null
        ? mapping.get(keys.get(i))
        : list(node, keys, i, where).get(index(node, keys, i, where));
  }

  private static void set(
      @Nullable Object node, List<String> keys, int i, @Nullable Object value, String where) {
    Map<String, @Nullable Object> mapping = Tree.mapping(node);
    if (mapping != null) {
      mapping.put(keys.get(i), value);
    } else {
      list(node, keys, i, where).set(index(node, keys, i, where), value);
    }
  }

  private static List<@Nullable Object> list(
      @Nullable Object node, List<String> keys, int i, String where) {
    List<@Nullable Object> list = Tree.list(node);
    if (list == null) {
      throw new UserException(
          where
              + ": '"
              + String.join(".", keys.subList(0, i))
              + "' is not a mapping but "
              + Tree.shown(node));
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

package roll.config.tree;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Helpers for plain YAML values: mappings with text keys, lists, scalars, null. */
public final class YamlTree {
  private YamlTree() {}

  /** Returns {@code value} as a mapping, or null if it is something else. */
  @SuppressWarnings("unchecked") // YamlReader makes no other mappings
  public static @Nullable Map<String, @Nullable Object> mapping(@Nullable Object value) {
    return value instanceof Map<?, ?> ? (Map<String, @Nullable Object>) value : null;
  }

  /** Returns {@code value} as a list, or null if it is something else. */
  @SuppressWarnings("unchecked") // YamlReader makes no other lists
  public static @Nullable List<@Nullable Object> list(@Nullable Object value) {
    return value instanceof List<?> ? (List<@Nullable Object>) value : null;
  }

  /** Returns the value at {@code path} in nested mappings of {@code tree}, or null. */
  public static @Nullable Object at(Map<String, @Nullable Object> tree, String path) {
    Object node = tree;
    for (String key : keys(path)) {
      Map<String, @Nullable Object> mapping = mapping(node);
      node = mapping == null ? null : mapping.get(key);
    }
    return node;
  }

  /** Returns a copy of {@code mapping} without the keys whose value is null; empty for null. */
  public static Map<String, Object> withoutNulls(@Nullable Map<String, @Nullable Object> mapping) {
    Map<String, Object> copy = new LinkedHashMap<>();
    if (mapping != null) {
      mapping.forEach(
          (key, value) -> {
            if (value != null) {
              copy.put(key, value);
            }
          });
    }
    return copy;
  }

  /** Whether {@code node} is a mapping with {@code key}, or a list with that index. */
  static boolean has(@Nullable Object node, String key) {
    Map<String, @Nullable Object> mapping = mapping(node);
    List<@Nullable Object> list = list(node);
    return mapping != null
        ? mapping.containsKey(key)
        : list != null && key.matches("\\d{1,9}") && Integer.parseInt(key) < list.size();
  }

  /** Returns the value of a key or index that {@code node} {@link #has}. */
  static @Nullable Object get(@Nullable Object node, String key) {
    Map<String, @Nullable Object> mapping = mapping(node);
    return mapping != null
        ? mapping.get(key)
        : Objects.requireNonNull(list(node)).get(Integer.parseInt(key));
  }

  /** Returns a deep copy of {@code value}. */
  static @Nullable Object copy(@Nullable Object value) {
    Map<String, @Nullable Object> mapping = mapping(value);
    if (mapping != null) {
      Map<String, @Nullable Object> copy = new LinkedHashMap<>();
      mapping.forEach((key, element) -> copy.put(key, copy(element)));
      return copy;
    }
    List<@Nullable Object> list = list(value);
    if (list != null) {
      List<@Nullable Object> copy = new ArrayList<>();
      list.forEach(element -> copy.add(copy(element)));
      return copy;
    }
    return value;
  }

  /** Returns the number of mappings, lists and scalars in {@code value}. */
  static int size(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> 1 + map.values().stream().mapToInt(YamlTree::size).sum();
      case List<?> list -> 1 + list.stream().mapToInt(YamlTree::size).sum();
      case null, default -> 1;
    };
  }

  /** Returns the nesting depth of mappings and lists in {@code value}; 0 for a scalar. */
  static int depth(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> 1 + map.values().stream().mapToInt(YamlTree::depth).max().orElse(0);
      case List<?> list -> 1 + list.stream().mapToInt(YamlTree::depth).max().orElse(0);
      case null, default -> 0;
    };
  }

  /** Whether two values are equal; numbers are compared by value. */
  public static boolean same(@Nullable Object value, @Nullable Object other) {
    return (value instanceof Number a && other instanceof Number b)
        ? a.doubleValue() == b.doubleValue()
        : Objects.equals(value, other);
  }

  /** Returns {@code value} in quotes for a message: one line, not too long. */
  public static String shown(@Nullable Object value) {
    return "'" + clipped(String.valueOf(value), 80) + "'";
  }

  /** Returns the first {@code most} characters of {@code text}, in one line. */
  static String clipped(String text, int most) {
    return (text.length() > most ? text.substring(0, most) + "…" : text).replace("\n", "\\n");
  }

  /**
   * Returns {@code path} as a list of keys and indexes: {@code a.b[0]} and {@code a.b.0} are the
   * same.
   */
  public static List<String> keys(String path) {
    return List.of(path.replace("[", ".").replace("]", "").split("\\.", -1));
  }
}

package roll.config.tree;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.text.Suggestion;

/**
 * Replaces interpolations like OmegaConf: {@code $} and a path such as {@code a.b} in braces by the
 * value of that key. Paths with leading dots are relative ({@code .b}, {@code ..b}). {@code
 * oc.select:path,default} has a default; {@code oc.env:VAR,default} and {@code now:%Y-%m-%d} are
 * {@link Resolvers}. A value that consists of one interpolation keeps the type of its target,
 * including mappings. A backslash before the dollar sign escapes it. The expanded size is limited
 * by {@link ConfigSizeLimits}.
 */
public final class Interpolation {
  private final Map<String, @Nullable Object> root;
  private final KeyOrigins origins;
  private final Resolvers resolvers;
  private final Deque<String> open = new ArrayDeque<>();
  private final Map<String, Reached> reached = new HashMap<>();
  private final Set<String> referenced = new LinkedHashSet<>();
  private final ExpandedSize size;

  /** The target of a reference, which is resolved once and then copied. */
  private record Reached(@Nullable Object value, int size, int depth) {}

  /** Over {@code root}, which is not changed. */
  public Interpolation(
      Map<String, @Nullable Object> root, KeyOrigins origins, Resolvers resolvers) {
    this.root = root;
    this.origins = origins;
    this.size = new ExpandedSize(origins);
    this.resolvers = resolvers;
  }

  /**
   * Returns the whole tree with its interpolations resolved.
   *
   * @throws UserException naming the first one that refers to nothing or to itself
   */
  public Map<String, @Nullable Object> resolve() {
    return mapping(root, "");
  }

  /** Returns the top-level keys that some interpolation refers to. */
  public Set<String> referenced() {
    return referenced;
  }

  /** Returns the text inside the braces if {@code text} is a single interpolation. */
  static @Nullable String whole(@Nullable Object text) {
    return text instanceof String t && t.startsWith("${") && close(t, 0) == t.length() - 1
        ? t.substring(2, t.length() - 1)
        : null;
  }

  private Map<String, @Nullable Object> mapping(Map<String, @Nullable Object> raw, String path) {
    Map<String, @Nullable Object> resolved = new LinkedHashMap<>();
    raw.forEach(
        (key, value) ->
            resolved.put(key, resolved(value, path.isEmpty() ? key : path + "." + key)));
    return resolved;
  }

  private @Nullable Object resolved(@Nullable Object raw, String path) {
    size.values(1, path);
    size.enter(1, path);
    Object resolved = written(raw, path);
    size.leave(1);
    return resolved;
  }

  private @Nullable Object written(@Nullable Object raw, String path) {
    Map<String, @Nullable Object> mapping = YamlTree.mapping(raw);
    if (mapping != null) {
      return mapping(mapping, path);
    }
    List<@Nullable Object> list = YamlTree.list(raw);
    if (list != null) {
      List<@Nullable Object> resolved = new ArrayList<>();
      IntStream.range(0, list.size())
          .forEach(i -> resolved.add(resolved(list.get(i), path + "." + i)));
      return resolved;
    }
    if (!(raw instanceof String text)) {
      return raw;
    }
    if (text.equals("???")) {
      throw new UserException(origins.of(path) + ": " + path + ": ??? must be replaced by a value");
    }
    String whole = whole(text);
    return whole == null ? inside(text, path) : YamlTree.copy(value(whole, path, true));
  }

  /** Returns {@code text} with its interpolations expanded. */
  private String inside(String text, String path) {
    StringBuilder out = new StringBuilder();
    int at = 0;
    for (int start = text.indexOf("${"); start >= 0; start = text.indexOf("${", at)) {
      if (start > at && text.charAt(start - 1) == '\\') {
        out.append(text, at, start - 1).append("${");
        at = start + 2;
        continue;
      }
      int end = close(text, start);
      if (end < 0) {
        throw wrong(path, text.substring(start), "has no closing brace");
      }
      Object value = value(text.substring(start + 2, end), path, false);
      if (value instanceof Map<?, ?> || value instanceof List<?>) {
        String kind = value instanceof Map<?, ?> ? "a mapping" : "a list";
        throw wrong(
            path, text.substring(start, end + 1), "is " + kind + " and cannot be part of a text");
      }
      out.append(text, at, start).append(value);
      at = end + 1;
      size.text(out.length(), path);
    }
    if (at == 0) {
      return text;
    }
    size.texts(out.append(text, at, text.length()).length(), path);
    return out.toString();
  }

  private @Nullable Object value(String expression, String path, boolean typed) {
    size.nest(path);
    String flat = inside(expression, path).strip();
    size.unnest();
    int colon = flat.indexOf(':');
    String function = flat.substring(0, Math.max(0, colon));
    if (colon < 0) {
      return target(absolute(flat, flat, path), path);
    }
    if (function.equals("oc.select")) {
      return selected(flat, flat.substring(colon + 1), path, typed);
    }
    try {
      return resolvers.value(function, flat.substring(colon + 1), typed);
    } catch (UserException e) {
      throw wrong(path, "${" + flat + "}", String.valueOf(e.getMessage()));
    }
  }

  /** The value of a key that need not be there; null where neither it nor a default is. */
  private @Nullable Object selected(String flat, String arguments, String path, boolean typed) {
    List<String> parts = Resolvers.two(arguments);
    String reference = absolute(parts.getFirst(), flat, path);
    if (isThere(reference)) {
      return target(reference, path);
    }
    if (parts.size() < 2) {
      return null;
    }
    Object written = YamlReader.value(origins.of(path) + ": " + path, parts.getLast());
    return typed ? written : String.valueOf(written);
  }

  private boolean isThere(String reference) {
    Object node = root;
    List<String> keys = YamlTree.keys(reference);
    for (int i = 0; i < keys.size(); i++) {
      String whole = whole(node);
      if (whole != null) {
        node = value(whole, String.join(".", keys.subList(0, i)), true);
      }
      if (!YamlTree.has(node, keys.get(i))) {
        return false;
      }
      node = YamlTree.get(node, keys.get(i));
    }
    return true;
  }

  /** {@code reference} from the top on: each dot behind its first one leads one mapping out. */
  private String absolute(String reference, String flat, String path) {
    int dots = 0;
    while (dots < reference.length() && reference.charAt(dots) == '.') {
      dots++;
    }
    if (dots == reference.length()) {
      throw wrong(path, "${" + flat + "}", "names no key");
    }
    if (dots == 0) {
      return reference;
    }
    List<String> keys = YamlTree.keys(path);
    if (dots > keys.size()) {
      throw wrong(
          path,
          "${" + flat + "}",
          "leads out of the configuration: it is " + keys.size() + " deep");
    }
    List<String> outer = new ArrayList<>(keys.subList(0, keys.size() - dots));
    outer.add(reference.substring(dots));
    return String.join(".", outer);
  }

  private @Nullable Object target(String reference, String path) {
    Reached known = reached.get(reference);
    if (known == null) {
      known = reach(reference, path);
      reached.put(reference, known);
    }
    size.values(known.size, path);
    size.enter(known.depth, path);
    size.leave(known.depth);
    return known.value;
  }

  private Reached reach(String reference, String path) {
    if (open.contains(reference)) {
      throw wrong(
          path,
          "${" + reference + "}",
          "refers to itself (" + String.join(" → ", open.reversed()) + " → " + reference + ")");
    }
    open.push(reference);
    int outside = size.nesting(0);
    Object node = root;
    boolean resolved = false;
    String at = "";
    for (String key : YamlTree.keys(reference)) {
      String whole = resolved ? null : whole(node);
      if (whole != null) {
        node = value(whole, at, true);
        resolved = true;
      }
      node = child(node, key, at, reference, path);
      at = at.isEmpty() ? key : at + "." + key;
    }
    referenced.add(YamlTree.keys(reference).getFirst());
    Object value = resolved ? node : resolved(node, at);
    size.nesting(outside);
    open.pop();
    return new Reached(value, YamlTree.size(value), YamlTree.depth(value));
  }

  private @Nullable Object child(
      @Nullable Object node, String key, String at, String reference, String path) {
    if (YamlTree.has(node, key)) {
      return YamlTree.get(node, key);
    }
    Map<String, @Nullable Object> mapping = YamlTree.mapping(node);
    throw wrong(
        path,
        "${" + reference + "}",
        "refers to nothing: no '"
            + key
            + "'"
            + (at.isEmpty() ? "" : " in '" + at + "'")
            + Suggestion.near(key, mapping == null ? List.of() : mapping.keySet()));
  }

  private UserException wrong(String path, String interpolation, String why) {
    return new UserException(
        origins.of(path) + ": " + path + ": " + YamlTree.clipped(interpolation, 80) + " " + why);
  }

  /**
   * Returns the index of the brace that closes the interpolation starting at {@code start}, or −1.
   */
  private static int close(String text, int start) {
    int depth = 0;
    for (int i = start; i < text.length(); i++) {
      if (text.charAt(i) == '{') {
        depth++;
      } else if (text.charAt(i) == '}' && --depth == 0) {
        return i;
      }
    }
    return -1;
  }
}

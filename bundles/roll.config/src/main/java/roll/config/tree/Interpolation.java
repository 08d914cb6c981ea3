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
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.text.Suggestion;

/**
 * Replaces interpolations as OmegaConf does: {@code $} and a path such as {@code a.b} in braces by
 * the value of that key, {@code oc.env:VAR,default} in braces by an environment variable. A value
 * that is nothing but an interpolation keeps the type of what it refers to, mappings included. A
 * backslash before the dollar sign makes it plain text. The expanded size is limited by {@link
 * Bounds}.
 */
public final class Interpolation {
  private final Map<String, @Nullable Object> root;
  private final Origins origins;
  private final Function<String, @Nullable String> environment;
  private final Deque<String> open = new ArrayDeque<>();
  private final Map<String, Reached> reached = new HashMap<>();
  private final Set<String> referenced = new LinkedHashSet<>();
  private int depth;
  private int nested;
  private long values;
  private long characters;

  /** The target of a reference, which is resolved once and then copied. */
  private record Reached(@Nullable Object value, int size, int depth) {}

  /** Over {@code root}, which is not changed. */
  public Interpolation(
      Map<String, @Nullable Object> root,
      Origins origins,
      Function<String, @Nullable String> environment) {
    this.root = root;
    this.origins = origins;
    this.environment = environment;
  }

  /**
   * The whole tree without interpolations.
   *
   * @throws UserException naming the first one that refers to nothing or to itself
   */
  public Map<String, @Nullable Object> resolve() {
    return mapping(root, "");
  }

  /** Top-level keys that some interpolation refers to. */
  public Set<String> referenced() {
    return referenced;
  }

  /** The text inside the braces if {@code text} is a single interpolation. */
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
    spend(1, path);
    deeper(1, path);
    Object resolved = written(raw, path);
    depth--;
    return resolved;
  }

  private @Nullable Object written(@Nullable Object raw, String path) {
    Map<String, @Nullable Object> mapping = Tree.mapping(raw);
    if (mapping != null) {
      return mapping(mapping, path);
    }
    List<@Nullable Object> list = Tree.list(raw);
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
    return whole == null ? inside(text, path) : Tree.copy(value(whole, path, true));
  }

  private void spend(int size, String path) {
    values += size;
    if (values > Bounds.VALUES) {
      throw tooMuch(path, "references stand for more than " + Bounds.VALUES + " values");
    }
  }

  private void deeper(int levels, String path) {
    depth += levels;
    if (depth > Bounds.DEPTH) {
      throw tooMuch(
          path, "more than " + Bounds.DEPTH + " mappings and references, one inside the other");
    }
  }

  private UserException tooMuch(String path, String why) {
    return new UserException(origins.of(path) + ": " + path + ": " + why);
  }

  /** {@code text} with its interpolations expanded. */
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
      if (out.length() > Bounds.TEXT) {
        throw tooMuch(
            path, "references stand for a text of more than " + Bounds.TEXT + " characters");
      }
    }
    if (at == 0) {
      return text;
    }
    characters += out.append(text, at, text.length()).length();
    if (characters > Bounds.TEXTS) {
      throw tooMuch(
          path, "references stand for texts of more than " + Bounds.TEXTS + " characters");
    }
    return out.toString();
  }

  private @Nullable Object value(String expression, String path, boolean typed) {
    if (++nested > Bounds.NESTED) {
      throw tooMuch(path, "more than " + Bounds.NESTED + " interpolations, one inside the other");
    }
    String flat = inside(expression, path).strip();
    nested--;
    if (flat.startsWith("oc.env:")) {
      return variable(flat.substring(7), path, typed);
    }
    if (flat.contains(":")) {
      throw wrong(
          path,
          "${" + flat + "}",
          "is not supported (allowed: ${key.path}, ${oc.env:VAR,default})");
    }
    if (flat.isEmpty() || flat.startsWith(".")) {
      throw wrong(
          path,
          "${" + flat + "}",
          "is not supported (allowed: a path from the top, such as"
              + " ${actor_train.infer_batch_size})");
    }
    return target(flat, path);
  }

  private @Nullable Object variable(String arguments, String path, boolean typed) {
    int comma = arguments.indexOf(',');
    String name = (comma < 0 ? arguments : arguments.substring(0, comma)).strip();
    String text = environment.apply(name);
    if (text == null && comma < 0) {
      throw wrong(
          path, "${oc.env:" + name + "}", "names a variable that is not set and has no default");
    }
    if (text == null) {
      Object standard = scalar(arguments.substring(comma + 1).strip());
      return typed ? standard : String.valueOf(standard);
    }
    return typed ? scalar(text) : text;
  }

  /** {@code text} parsed as YAML if the result is a scalar, else the text itself. */
  private static @Nullable Object scalar(String text) {
    try {
      Object value = YamlReader.value("oc.env", text);
      return value instanceof Map<?, ?> || value instanceof List<?> ? text : value;
    } catch (UserException e) {
      return text; // no YAML, so it is a text
    }
  }

  private @Nullable Object target(String reference, String path) {
    Reached known = reached.get(reference);
    if (known == null) {
      known = reach(reference, path);
      reached.put(reference, known);
    }
    spend(known.size, path);
    deeper(known.depth, path);
    depth -= known.depth;
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
    int outside = nested;
    nested = 0;
    Object node = root;
    boolean resolved = false;
    String at = "";
    for (String key : Tree.keys(reference)) {
      String whole = resolved ? null : whole(node);
      if (whole != null) {
        node = value(whole, at, true);
        resolved = true;
      }
      node = child(node, key, at, reference, path);
      at = at.isEmpty() ? key : at + "." + key;
    }
    referenced.add(Tree.keys(reference).getFirst());
    Object value = resolved ? node : resolved(node, at);
    nested = outside;
    open.pop();
    return new Reached(value, Tree.size(value), Tree.depth(value));
  }

  private @Nullable Object child(
      @Nullable Object node, String key, String at, String reference, String path) {
    Map<String, @Nullable Object> mapping = Tree.mapping(node);
    if (mapping != null && mapping.containsKey(key)) {
      return mapping.get(key);
    }
    List<@Nullable Object> list = Tree.list(node);
    if (list != null && key.matches("\\d{1,9}") && Integer.parseInt(key) < list.size()) {
      return list.get(Integer.parseInt(key));
    }
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
        origins.of(path) + ": " + path + ": " + Tree.clipped(interpolation, 80) + " " + why);
  }

  /** Index of the brace that closes the interpolation starting at {@code start}, or −1. */
  private static int close(String text, int start) {
    int depth = 0;
    for (int i = start; i < text.length(); i++) {
      if (text.startsWith("${", i)) {
        depth++;
        i++;
      } else if (text.charAt(i) == '}' && --depth == 0) {
        return i;
      }
    }
    return -1;
  }
}

package roll.config.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.tree.KeyOrigins;
import roll.config.tree.YamlTree;
import roll.text.Suggestion;

/** Checks a tree against the {@link Schema}. */
public final class Checker {
  private final Schema schema;
  private final Set<String> others;
  private final Function<String, List<String>> translated;
  private final KeyOrigins origins;
  private final Set<String> variables;
  private final Set<String> notices = new LinkedHashSet<>();

  /**
   * Creates a checker of one configuration tree.
   *
   * @param others top-level keys of other dialects, for suggestions
   * @param translated our names for what another system calls a word
   * @param variables top-level keys that are allowed although the schema does not define them
   */
  public Checker(
      Schema schema,
      Set<String> others,
      Function<String, List<String>> translated,
      KeyOrigins origins,
      Set<String> variables) {
    this.schema = schema;
    this.others = others;
    this.translated = translated;
    this.origins = origins;
    this.variables = variables;
  }

  /**
   * Checks the tree and returns it with defaults.
   *
   * @throws UserException for the first key that is unknown, missing, wrong or not supported
   */
  public Section check(Map<String, @Nullable Object> tree) {
    return section(Schema.RUN, tree, "");
  }

  /** Returns a notice for each key that was set but has no effect. */
  public List<String> notices() {
    return List.copyOf(notices);
  }

  private Section section(String name, Map<String, @Nullable Object> tree, String path) {
    Map<String, Key> keys = schema.section(name);
    Set<String> given = new LinkedHashSet<>();
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    keys.values().forEach(key -> values.put(key.name(), key.standard()));
    tree.forEach(
        (word, value) -> {
          String at = path.isEmpty() ? word : path + "." + word;
          Key key = keys.get(word);
          if (key != null) {
            values.put(word, checked(key, value, at));
            if (value != null) {
              given.add(word);
            }
          } else if (!path.isEmpty() || !variables.contains(word)) {
            throw new UserException(
                origins.of(at) + ": unknown key '" + at + "'" + near(word, keys, path));
          }
        });
    for (Key key : keys.values()) {
      String at = path.isEmpty() ? key.name() : path + "." + key.name();
      if (key.required() && values.get(key.name()) == null) {
        throw new UserException(origins.ofMissing(at) + ": " + at + " is missing");
      }
      if (!(key.type() instanceof ValueType.Sub) || given.contains(key.name())) {
        continue;
      }
      values.put(
          key.name(), key.standard() == null ? null : nested(key, new LinkedHashMap<>(), at));
    }
    return new Section(path, origins, given, values);
  }

  private String near(String word, Map<String, Key> keys, String path) {
    Set<String> known = new LinkedHashSet<>(keys.keySet());
    if (path.isEmpty()) {
      known.addAll(others);
      known.addAll(variables);
    }
    String near = Suggestion.near(word, known);
    return near.isEmpty()
        ? Stream.concat(
                translated.apply(word).stream().filter(keys::containsKey),
                schema.paths(word).stream())
            .findFirst()
            .map(elsewhere -> "; did you mean '" + elsewhere + "'?")
            .orElse("")
        : near;
  }

  private @Nullable Object checked(Key key, @Nullable Object value, String path) {
    if (value == null) {
      if (key.status() == Key.Status.SUPPORTED
          && key.standard() != null
          && !key.type().accepts(Map.of())) {
        throw wrong(key, path, null);
      }
      return key.standard();
    }
    if (key.type() instanceof ValueType.Word word && word.later().contains(value)) {
      throw unsupported(path, value, "");
    }
    if (!key.type().accepts(value)) {
      throw wrong(key, path, value);
    }
    if ((key.status() == Key.Status.LATER || key.status() == Key.Status.TRANSLATED)
        && !YamlTree.same(value, key.standard())) {
      throw unsupported(path, value, key.reason().equals("later") ? "" : "; " + key.reason());
    }
    if (key.status() == Key.Status.NO_EFFECT) {
      String shown = path.replaceFirst("^custom_envs\\.[^.]+", "custom_envs.*");
      notices.add("key '" + shown + "' has no effect here: " + key.reason());
    }
    Map<String, @Nullable Object> mapping = YamlTree.mapping(value);
    return mapping != null && key.type() instanceof ValueType.Sub
        ? nested(key, mapping, path)
        : value;
  }

  private Object nested(Key key, Map<String, @Nullable Object> tree, String path) {
    ValueType.Sub type = (ValueType.Sub) key.type();
    if (!type.named()) {
      return section(type.section(), tree, path);
    }
    Map<String, Section> sections = new LinkedHashMap<>();
    tree.forEach(
        (name, value) -> {
          String at = path + "." + name;
          if (name.isBlank()) {
            throw new UserException(
                "%s: %s: expected a name for each, found '%s'"
                    .formatted(origins.of(at), path, name));
          }
          Map<String, @Nullable Object> mapping = YamlTree.mapping(value);
          if (mapping == null) {
            throw new UserException(
                origins.of(at)
                    + ": "
                    + at
                    + ": expected a mapping, found "
                    + YamlTree.shown(value));
          }
          sections.put(name, section(type.section(), mapping, at));
        });
    return sections;
  }

  private UserException unsupported(String path, Object value, String instead) {
    boolean scalar = !(value instanceof Map<?, ?>) && !(value instanceof List<?>);
    String shown = YamlTree.shown(scalar ? path + ": " + value : path);
    return new UserException(origins.of(path) + ": " + shown + " is not supported yet" + instead);
  }

  private UserException wrong(Key key, String path, @Nullable Object value) {
    List<String> words = new ArrayList<>();
    if (key.type() instanceof ValueType.Word word) {
      words.addAll(word.words());
    }
    return new UserException(
        origins.of(path)
            + ": "
            + path
            + ": expected "
            + key.type().allowed()
            + ", found "
            + YamlTree.shown(value)
            + Suggestion.near(String.valueOf(value), words));
  }
}

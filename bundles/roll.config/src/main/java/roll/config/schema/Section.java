package roll.config.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.tree.KeyOrigins;
import roll.config.tree.YamlTree;

/**
 * A checked mapping: every value has the type of its key, and missing values have their defaults.
 * Dependent values are set while a configuration is loaded.
 */
public final class Section {
  private final String path;
  private final KeyOrigins origins;
  private final Set<String> given;
  private final Map<String, @Nullable Object> values;

  /**
   * Creates a checked section of the configuration.
   *
   * @param path of the section, empty at the top
   * @param given keys that were written
   * @param values value by key, sub-sections as {@link Section}
   */
  Section(
      String path, KeyOrigins origins, Set<String> given, Map<String, @Nullable Object> values) {
    this.path = path;
    this.origins = origins;
    this.given = Set.copyOf(given);
    this.values = new LinkedHashMap<>(values);
  }

  /** Whether the configuration sets {@code key} to a value. */
  public boolean given(String key) {
    return given.contains(key);
  }

  /** Whether the section has a value for {@code key}. */
  public boolean has(String key) {
    return values.get(key) != null;
  }

  /** Sets the key {@code key} of the section to {@code value}. */
  public void settle(String key, @Nullable Object value) {
    values.put(key, value);
  }

  /** Returns every value of the section by key, sub-sections as {@link Section}. */
  Map<String, @Nullable Object> values() {
    return values;
  }

  /** Returns the path of {@code key} from the top of the configuration. */
  public String path(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  /** Returns the value of {@code key} or null. */
  public @Nullable Object value(String key) {
    if (!values.containsKey(key)) {
      throw new IllegalArgumentException("key '" + path(key) + "' is not in the schema");
    }
    return values.get(key);
  }

  /** Returns the boolean value of {@code key}. */
  public boolean flag(String key) {
    return (Boolean) needed(key);
  }

  /** Returns the integer value of {@code key}. */
  public int integer(String key) {
    return ((Number) needed(key)).intValue();
  }

  /** Returns the value of {@code key} as an integer in the range of long. */
  public long longInteger(String key) {
    return ((Number) needed(key)).longValue();
  }

  /** Returns the numeric value of {@code key}. */
  public double number(String key) {
    return ((Number) needed(key)).doubleValue();
  }

  /** Returns the numeric value of {@code key}, or null. */
  public @Nullable Double numberOrNull(String key) {
    return has(key) ? number(key) : null;
  }

  /** Returns the text value of {@code key}. */
  public String text(String key) {
    return (String) needed(key);
  }

  /** Returns the text value of {@code key}, or null. */
  public @Nullable String textOrNull(String key) {
    return has(key) ? text(key) : null;
  }

  /** Returns the text, or the list of texts, of {@code key} as a list. */
  public List<String> texts(String key) {
    Object value = needed(key);
    List<String> texts = new ArrayList<>();
    (value instanceof List<?> list ? list : List.of(value)).forEach(t -> texts.add((String) t));
    return List.copyOf(texts);
  }

  /**
   * Names, written as a list or as one text with commas between them; none where there is no value.
   */
  public List<String> names(String key) {
    return has(key)
        ? texts(key).stream()
            .flatMap(text -> Stream.of(text.split(",", -1)))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .toList()
        : List.of();
  }

  /** Returns the list of integers of {@code key}. */
  public List<Integer> integers(String key) {
    List<Integer> numbers = new ArrayList<>();
    ((List<?>) needed(key)).forEach(number -> numbers.add(((Number) number).intValue()));
    return List.copyOf(numbers);
  }

  /**
   * Returns the mapping of {@code key} with values of any type, without keys whose value is null.
   */
  public Map<String, Object> mapping(String key) {
    return YamlTree.withoutNulls(Objects.requireNonNull(YamlTree.mapping(needed(key))));
  }

  /** Returns the sub-section {@code key}. */
  public Section section(String key) {
    return (Section) needed(key);
  }

  /** Returns the mapping of names to sub-sections of {@code key}. */
  public Map<String, Section> sections(String key) {
    Map<String, Section> sections = new LinkedHashMap<>();
    ((Map<?, ?>) needed(key)).forEach((name, s) -> sections.put((String) name, (Section) s));
    return sections;
  }

  /** Returns the start of an error message: {@code place: path of key}. */
  public String where(String key) {
    return origins.of(path(key)) + ": " + path(key);
  }

  /** The same for a key that is missing, by {@link KeyOrigins#ofMissing}. */
  public String whereMissing(String key) {
    return origins.ofMissing(path(key)) + ": " + path(key);
  }

  /** Returns the error that the value of {@code key} is not {@code allowed}. */
  public UserException wrong(String key, String allowed) {
    return new UserException(
        where(key) + ": expected " + allowed + ", found " + YamlTree.shown(value(key)));
  }

  private Object needed(String key) {
    return Objects.requireNonNull(value(key), () -> path(key));
  }
}

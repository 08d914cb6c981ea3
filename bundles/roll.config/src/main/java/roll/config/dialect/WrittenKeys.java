package roll.config.dialect;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.schema.ValueType;
import roll.config.tree.YamlTree;
import roll.text.Suggestion;

/** The keys of another system in a configuration, with that system's defaults of the others. */
public interface WrittenKeys {
  /** Whether {@code key} was written, by this name or an alias. */
  boolean given(String key);

  /** Returns the written value of {@code key} or its default; null if there is neither. */
  @Nullable Object value(String key);

  /** Returns the name by which {@code key} was written, or {@code key}. */
  String written(String key);

  /** Returns the start of an error message: {@code place: key}. */
  String where(String key);

  /** Returns the boolean value of {@code key}. */
  default boolean flag(String key) {
    return Boolean.TRUE.equals(value(key));
  }

  /** Returns the integer value of {@code key}. */
  default int integer(String key) {
    return ((Number) Objects.requireNonNull(value(key), key)).intValue();
  }

  /** Returns the numeric value of {@code key}. */
  default double number(String key) {
    return ((Number) Objects.requireNonNull(value(key), key)).doubleValue();
  }

  /** Returns the value of {@code key} as a text. */
  default String text(String key) {
    return String.valueOf(Objects.requireNonNull(value(key), key));
  }

  /** Returns a text, or a list of texts, as a list; empty where there is no value. */
  default List<String> texts(String key) {
    Object value = value(key);
    return value instanceof List<?> list
        ? list.stream().map(String::valueOf).toList()
        : value == null ? List.of() : List.of(String.valueOf(value));
  }

  /**
   * Returns the error that the value of {@code key} is not what is {@code allowed}.
   *
   * @param type of the key, whose words are suggested; null if it has none
   */
  default UserException wrong(
      String key, String allowed, @Nullable Object found, @Nullable ValueType type) {
    List<String> words = type instanceof ValueType.Word word ? word.words() : List.of();
    return new UserException(
        "%s: expected %s, found %s%s"
            .formatted(
                where(key),
                allowed,
                YamlTree.shown(found),
                Suggestion.near(String.valueOf(found), words)));
  }
}

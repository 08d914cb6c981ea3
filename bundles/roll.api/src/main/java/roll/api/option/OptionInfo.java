package roll.api.option;

import org.jspecify.annotations.Nullable;

/**
 * One option a plugin understands.
 *
 * @param name key in the YAML
 * @param type what values are allowed
 * @param standard value where the key is absent; null means none
 * @param meaning one sentence
 */
public record OptionInfo(String name, Type type, @Nullable Object standard, String meaning) {
  /** What values an option may have. */
  public enum Type {
    /** true or false. */
    BOOLEAN,
    /** A whole number that fits a Java int. */
    INTEGER,
    /** Any finite number. */
    NUMBER,
    /** Text. */
    TEXT,
    /** A list of anything. */
    LIST,
    /** A list of texts; a single text is a list of one. */
    TEXTS,
    /** A mapping of anything; its keys are read as text. */
    MAPPING
  }
}

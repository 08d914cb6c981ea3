package roll.config.schema;

import org.jspecify.annotations.Nullable;

/**
 * One key in the schema of configurations.
 *
 * @param name as written in the YAML
 * @param type allowed values
 * @param standard default value, or null
 * @param required whether the key must be there
 * @param status how a value is handled
 * @param reason meaning of the key, its translation, or why it has no effect or is refused; may be
 *     empty
 */
public record Key(
    String name,
    ValueType type,
    @Nullable Object standard,
    boolean required,
    Status status,
    String reason) {
  /** The handling of a key's value. */
  public enum Status {
    /** Key status: the key is used. */
    SUPPORTED,
    /** Key status: translated to other keys before the schema is checked. */
    TRANSLATED,
    /** Key status: accepted with a notice. */
    NO_EFFECT,
    /** Key status: only the default is accepted. */
    LATER
  }
}

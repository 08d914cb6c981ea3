package roll.config.schema;

import org.jspecify.annotations.Nullable;

/**
 * One key of the schema.
 *
 * @param name as written in the YAML
 * @param type what values are allowed
 * @param standard value where the key is absent, or null
 * @param required whether the key must be there
 * @param status what becomes of a value
 * @param reason why a value has no effect, or what to say in its place; else empty
 */
public record Key(
    String name,
    ValueType type,
    @Nullable Object standard,
    boolean required,
    Status status,
    String reason) {
  /** What becomes of a key's value. */
  public enum Status {
    /** It is used. */
    SUPPORTED,
    /** It is accepted with a notice. */
    NO_EFFECT,
    /** Only the default is accepted. */
    LATER
  }
}

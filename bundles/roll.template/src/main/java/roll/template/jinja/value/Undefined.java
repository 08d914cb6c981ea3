package roll.template.jinja.value;

/**
 * The value of a missing name, attribute or item: printed it is empty, in a condition false, in a
 * loop empty; computing with it fails.
 *
 * @param reason says what does not exist
 */
public record Undefined(String reason) {
  /** Returns the undefined value of a variable. */
  public static Undefined variable(String name) {
    return new Undefined("'" + name + "' is undefined");
  }

  /** Returns the undefined value of a missing attribute or item of {@code owner}. */
  static Undefined of(Object owner, Object key) {
    String type = owner instanceof None ? "None" : Types.name(owner) + " object";
    return new Undefined(
        key instanceof String name
            ? "'" + type + "' has no attribute '" + name + "'"
            : type + " has no element " + Text.repr(key));
  }

  /** Returns the exception for computing with an undefined value. */
  TemplateException failure() {
    return new TemplateException(reason);
  }

  /** All undefined values are equal. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Undefined;
  }

  @Override
  public int hashCode() {
    return 1;
  }
}

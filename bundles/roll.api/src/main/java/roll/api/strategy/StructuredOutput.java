package roll.api.strategy;

import org.osgi.annotation.versioning.ConsumerType;

/** The texts that a response may be, as {@code structured_outputs} of vLLM. */
@ConsumerType
public sealed interface StructuredOutput {
  /**
   * Texts that match a whole regular expression.
   *
   * @param pattern the expression, in the syntax that Python and ECMAScript share
   */
  record Regex(String pattern) implements StructuredOutput {}

  /**
   * JSON that a schema validates.
   *
   * @param schema JSON schema as text
   */
  record Json(String schema) implements StructuredOutput {
    /** Any JSON object. */
    public static final Json OBJECT = new Json("{\"type\":\"object\"}");
  }
}

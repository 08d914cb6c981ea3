package roll.runtime.config;

import org.jspecify.annotations.Nullable;

/**
 * Fields of a row of supervised training that surround its prompt; an empty name is no field.
 *
 * @param query text on the line after the prompt; null: Alpaca's {@code input} after {@code
 *     instruction}
 * @param system system message
 * @param history pairs of earlier prompts and responses
 */
public record ContextFields(@Nullable String query, String system, String history) {
  /** The fields of Alpaca's rows. */
  public static final ContextFields ALPACA = new ContextFields(null, "system", "history");

  /** Returns the field of the text after the prompt in the field {@code prompt}. */
  public String queryBehind(String prompt) {
    if (query != null) {
      return query;
    }
    return prompt.equals("instruction") ? "input" : "";
  }
}

package roll.openai.answer;

/** A part of a choice: text or a tool call. */
sealed interface Delta {
  /** Text of the assistant. */
  record Text(String text) implements Delta {}

  /**
   * A tool call of the assistant.
   *
   * @param arguments a JSON object, as text
   */
  record Call(String name, String arguments) implements Delta {}
}

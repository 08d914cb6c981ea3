package roll.openai.answer;

/** A part of an answer. */
sealed interface Delta {
  /** What the model says. */
  record Text(String text) implements Delta {}

  /**
   * A tool that the model calls.
   *
   * @param arguments a JSON object, as text
   */
  record Call(String name, String arguments) implements Delta {}
}

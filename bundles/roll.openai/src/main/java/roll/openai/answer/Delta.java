package roll.openai.answer;

import org.osgi.annotation.versioning.ProviderType;

/** A part of a choice: text, a thought, or a tool call. */
@ProviderType
public sealed interface Delta {
  /** Text of the assistant. */
  record Text(String text) implements Delta {}

  /**
   * Text of the thought at the beginning of a choice, without its tags; empty where the thought
   * begins.
   */
  record Thought(String text) implements Delta {}

  /**
   * A tool call of the assistant.
   *
   * @param arguments a JSON object, as text
   */
  record Call(String name, String arguments) implements Delta {}
}

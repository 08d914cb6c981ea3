package roll.api.data;

import org.jspecify.annotations.Nullable;

/**
 * One message of a conversation.
 *
 * @param role {@code system}, {@code user}, {@code assistant} or {@code tool}
 * @param content its text
 * @param tool name of the tool whose result it is, or null
 */
public record Message(String role, String content, @Nullable String tool) {
  /** A message that is no tool's result. */
  public Message(String role, String content) {
    this(role, content, null);
  }
}

package roll.agent.types;

import java.util.List;
import java.util.Optional;
import roll.api.tool.ToolCall;

/** Message format with at most one tool call, at the end of the message. */
final class SingleCallMessage {
  private SingleCallMessage() {}

  /**
   * Returns the tool call of the message, if any.
   *
   * @throws IllegalArgumentException if there are several
   */
  static Optional<ToolCall> of(List<ToolCall> calls) {
    if (calls.size() > 1) {
      throw new IllegalArgumentException("one call per message, not " + calls.size());
    }
    return calls.stream().findFirst();
  }

  /**
   * Returns the number of characters of {@code response} to keep.
   *
   * @param end end of the call; −1 without one
   */
  static int kept(String response, int end) {
    return end < 0 || response.substring(end).isBlank() ? response.length() : end;
  }
}

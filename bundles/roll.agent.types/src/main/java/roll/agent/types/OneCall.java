package roll.agent.types;

import java.util.List;
import java.util.Optional;
import roll.api.tool.ToolCall;

/** Messages that make one call, and end with it. */
final class OneCall {
  private OneCall() {}

  /**
   * The call there is, if any.
   *
   * @throws IllegalArgumentException if there are several
   */
  static Optional<ToolCall> of(List<ToolCall> calls) {
    if (calls.size() > 1) {
      throw new IllegalArgumentException("one call a message, not " + calls.size());
    }
    return calls.stream().findFirst();
  }

  /**
   * How many characters of {@code response} are kept.
   *
   * @param end of the call; −1 where there is none
   */
  static int kept(String response, int end) {
    return end < 0 || response.substring(end).isBlank() ? response.length() : end;
  }
}

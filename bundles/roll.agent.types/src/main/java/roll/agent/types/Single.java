package roll.agent.types;

import java.util.List;
import java.util.Optional;
import roll.api.tool.ToolCall;

/** Formats in which a message makes one call. */
final class Single {
  private Single() {}

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
}

package roll.api.agent;

import java.util.List;
import roll.api.tool.ToolCall;

/**
 * What a response asks for.
 *
 * @param calls in the order written, also those that cannot be made; none ends the episode with the
 *     response as its answer
 * @param executed whether the calls are made; where they are not they are the answer, and the
 *     episode ends
 */
public record Reply(List<ToolCall> calls, boolean executed) {
  /** A response that is the answer. */
  public static final Reply ANSWER = new Reply(List.of(), false);

  /** A response that waits for the results of {@code calls}. */
  public static Reply calling(List<ToolCall> calls) {
    return calls.isEmpty() ? ANSWER : new Reply(List.copyOf(calls), true);
  }
}

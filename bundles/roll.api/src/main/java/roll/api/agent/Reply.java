package roll.api.agent;

import java.util.List;
import roll.api.tool.ToolCall;

/**
 * A parsed response.
 *
 * @param calls in the order written, including malformed ones; if empty, the episode ends with the
 *     response as its answer
 * @param executed whether the calls are executed; otherwise they are the answer and the episode
 *     ends
 */
public record Reply(List<ToolCall> calls, boolean executed) {
  /** A response that is the answer. */
  public static final Reply ANSWER = new Reply(List.of(), false);

  /** A response that waits for the results of {@code calls}. */
  public static Reply calling(List<ToolCall> calls) {
    return calls.isEmpty() ? ANSWER : new Reply(List.copyOf(calls), true);
  }
}

package roll.agent.types;

import java.util.ArrayList;
import java.util.List;
import roll.agent.types.ArgumentJson.Refusal;
import roll.api.tool.ToolCall;

/** Calls between {@code <tool_call>} and {@code </tool_call>}, as Hermes and Qwen models write. */
final class ToolCallTags {
  /** Before a call. */
  static final String START = "<tool_call>";

  private static final String END = "</tool_call>";

  private ToolCallTags() {}

  /** The call with its tags, on three lines. */
  static String write(ToolCall call) {
    return START + "\n" + CallJson.write(call) + "\n" + END;
  }

  /**
   * The first calls in {@code text}; a last one without its end is malformed.
   *
   * @param most no more than these
   */
  static List<ToolCall> read(String text, int most) {
    List<ToolCall> calls = new ArrayList<>();
    int from = text.indexOf(START);
    while (from >= 0 && calls.size() < most) {
      int start = from + START.length();
      int end = text.indexOf(END, start);
      if (end < 0) {
        calls.add(CallJson.malformed("", new Refusal(START + " without " + END)));
        break;
      }
      calls.add(CallJson.read(text.substring(start, end)));
      from = text.indexOf(START, end + END.length());
    }
    return calls;
  }
}

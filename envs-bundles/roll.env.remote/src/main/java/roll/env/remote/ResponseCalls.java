package roll.env.remote;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.List;
import roll.text.call.HermesParser;
import roll.text.call.HermesPart;
import roll.text.call.ParsedToolCall;
import roll.text.call.ThinkTags;

/** Tool calls in a response: {@code <tool_call>} with a JSON object, or the object alone. */
final class ResponseCalls {
  private static final String NONE =
      "a call is a JSON object with a name and arguments, such as"
          + " {\"name\": \"look\", \"arguments\": {}}";

  private ResponseCalls() {}

  /**
   * A tool call.
   *
   * @param tool name of the tool
   */
  record Call(String tool, JsonObject arguments) {}

  /** Returns the text of the response after its thoughts. */
  static String said(String response) {
    return ThinkTags.after(response).strip();
  }

  /**
   * Parses the calls in {@code response}, in order; empty for a final answer.
   *
   * @throws IllegalArgumentException if one is malformed; the message is for the agent
   */
  static List<Call> of(String response) {
    List<Call> calls = new ArrayList<>();
    for (HermesPart.Block block : HermesParser.blocks(response)) {
      calls.add(call(ParsedToolCall.of(block)));
    }
    String said = said(response);
    if (calls.isEmpty() && said.startsWith("{")) {
      ParsedToolCall alone = ParsedToolCall.read(said);
      return alone.readable() ? List.of(call(alone)) : List.of();
    }
    return calls;
  }

  private static Call call(ParsedToolCall written) {
    if (!written.readable()) {
      throw new IllegalArgumentException(NONE);
    }
    return new Call(
        written.call().tool(), JsonParser.parseString(written.arguments()).getAsJsonObject());
  }
}

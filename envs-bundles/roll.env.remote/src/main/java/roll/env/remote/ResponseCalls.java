package roll.env.remote;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.List;
import roll.text.call.HermesParser;
import roll.text.call.HermesPart;
import roll.text.call.WrittenCall;

/**
 * The calls of tools in a response: {@code <tool_call>} with a JSON object in it, or that alone.
 */
final class ResponseCalls {
  private static final String THOUGHT = "</think>";
  private static final String NONE =
      "a call is a JSON object with a name and arguments, such as"
          + " {\"name\": \"look\", \"arguments\": {}}";

  private ResponseCalls() {}

  /**
   * One call.
   *
   * @param tool its name
   */
  record Call(String tool, JsonObject arguments) {}

  /** What is said after all thinking. */
  static String said(String response) {
    int thought = response.lastIndexOf(THOUGHT);
    return response.substring(thought < 0 ? 0 : thought + THOUGHT.length()).strip();
  }

  /**
   * The calls in {@code response}, in their order; none where it is an answer.
   *
   * @throws IllegalArgumentException that tells the agent what is wrong with one
   */
  static List<Call> of(String response) {
    List<Call> calls = new ArrayList<>();
    for (HermesPart.Block block : HermesParser.blocks(response)) {
      calls.add(call(WrittenCall.of(block)));
    }
    String said = said(response);
    if (calls.isEmpty() && said.startsWith("{")) {
      WrittenCall alone = WrittenCall.read(said);
      return alone.readable() ? List.of(call(alone)) : List.of();
    }
    return calls;
  }

  private static Call call(WrittenCall written) {
    if (!written.readable()) {
      throw new IllegalArgumentException(NONE);
    }
    return new Call(
        written.call().tool(), JsonParser.parseString(written.arguments()).getAsJsonObject());
  }
}

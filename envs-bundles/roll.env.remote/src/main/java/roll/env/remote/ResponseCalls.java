package roll.env.remote;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The calls of tools in a response: {@code <tool_call>} with a JSON object in it, or that alone.
 */
final class ResponseCalls {
  private static final Pattern CALL =
      Pattern.compile("<tool_call>(.*?)(?:</tool_call>|\\z)", Pattern.DOTALL);
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
    String said = said(response);
    List<Call> calls = new ArrayList<>();
    for (Matcher found = CALL.matcher(said); found.find(); ) {
      Call call = call(found.group(1));
      if (call == null) {
        throw new IllegalArgumentException(NONE);
      }
      calls.add(call);
    }
    Call alone = calls.isEmpty() && said.startsWith("{") ? call(said) : null;
    return alone == null ? calls : List.of(alone);
  }

  private static @Nullable Call call(String text) {
    try {
      if (JsonParser.parseString(text) instanceof JsonObject call
          && call.get("name") instanceof JsonPrimitive name) {
        JsonElement arguments = call.has("arguments") ? call.get("arguments") : new JsonObject();
        return arguments instanceof JsonObject given ? new Call(name.getAsString(), given) : null;
      }
    } catch (JsonParseException | StackOverflowError e) {
      // none
    }
    return null;
  }
}

package roll.text.call;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import java.util.LinkedHashMap;
import java.util.Map;
import roll.api.tool.ToolCall;
import roll.text.call.ArgumentJson.Refusal;

/**
 * A tool call parsed from JSON: {@code {"name": "search", "arguments": {"query": "x"}}}. The
 * arguments may also be a string with a JSON object; they are optional.
 *
 * @param call the call, or the reason why it is malformed
 * @param arguments JSON of the arguments, with numbers and nulls as written; an empty object for a
 *     malformed call
 */
public record ParsedToolCall(ToolCall call, String arguments) {
  private static final String NAME = "name";
  private static final String ARGUMENTS = "arguments";
  private static final Gson GSON =
      new GsonBuilder()
          .setStrictness(Strictness.STRICT)
          .disableHtmlEscaping()
          .serializeNulls()
          .create();

  /** Parses the call of a block. */
  public static ParsedToolCall of(HermesPart.Block block) {
    String json = block.between();
    return json == null
        ? new ParsedToolCall(
            malformed("", new Refusal(HermesParser.OPEN + " without " + HermesParser.CLOSE)), "{}")
        : read(json);
  }

  /** Parses {@code json} as a parsed tool call. */
  public static ParsedToolCall read(String json) {
    ToolCall call;
    try {
      call = of(ArgumentJson.whole(json));
    } catch (Refusal e) {
      call = malformed("", e);
    }
    return new ParsedToolCall(call, call.problem() == null ? arguments(json) : "{}");
  }

  /** Returns whether the call is well-formed. */
  public boolean readable() {
    return call.problem() == null;
  }

  /** Returns the JSON of the arguments of a well-formed call. */
  private static String arguments(String json) {
    JsonElement given = GSON.fromJson(json, JsonObject.class).get(ARGUMENTS);
    if (given instanceof JsonPrimitive text) {
      given = GSON.fromJson(text.getAsString(), JsonObject.class);
    }
    return given == null || given.isJsonNull() ? "{}" : GSON.toJson(given);
  }

  /** Returns the tool call in the JSON object {@code object}. */
  public static ToolCall of(Map<String, Object> object) {
    if (!(object.get(NAME) instanceof String name) || name.isBlank()) {
      return malformed("", new Refusal("\"name\" is missing or no text"));
    }
    try {
      return ToolCall.of(name.strip(), given(object));
    } catch (Refusal e) {
      return malformed(name.strip(), e);
    }
  }

  private static Map<String, Object> given(Map<String, Object> object) throws Refusal {
    return switch (object.get(ARGUMENTS)) {
      case null -> Map.of();
      case Map<?, ?> map -> texts(map);
      case String text -> inner(text);
      default -> throw new Refusal("\"arguments\" is no object");
    };
  }

  private static Map<String, Object> inner(String text) throws Refusal {
    try {
      return ArgumentJson.whole(text);
    } catch (Refusal e) {
      throw new Refusal("in \"arguments\" " + e.getMessage());
    }
  }

  private static Map<String, Object> texts(Map<?, ?> map) {
    Map<String, Object> texts = new LinkedHashMap<>();
    map.forEach((key, value) -> texts.put(String.valueOf(key), value));
    return texts;
  }

  /** Returns a malformed call of {@code tool} with its reason. */
  public static ToolCall malformed(String tool, Refusal why) {
    return ToolCall.malformed(
        tool, "Invalid input: " + why.getMessage() + ", input must be a valid JSON object.");
  }
}

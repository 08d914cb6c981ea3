package roll.agent.openai;

import com.google.gson.FormattingStyle;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import roll.text.call.HermesParser;
import roll.text.call.HermesPart;
import roll.text.call.ParsedToolCall;

/**
 * Converts between {@code tool_calls} of the protocol and the text of Hermes and Qwen models, JSON
 * in {@code <tool_call>} tags, which is in the messages of an episode.
 */
final class HermesCallText {
  private static final Gson ONE_LINE =
      new GsonBuilder()
          .setStrictness(Strictness.STRICT)
          .setFormattingStyle(FormattingStyle.COMPACT.withSpaceAfterSeparators(true))
          .disableHtmlEscaping()
          .serializeNulls()
          .create();

  private HermesCallText() {}

  /**
   * A message with tool calls at its end.
   *
   * @param text text before the calls
   * @param functions functions in the form of the protocol, with arguments as strings
   */
  record Told(String text, List<JsonObject> functions) {}

  /**
   * Parses tool calls from {@code message}; empty if it has no calls, text after a call, or a
   * malformed call.
   */
  static Optional<Told> read(String message) {
    StringBuilder text = new StringBuilder();
    List<JsonObject> functions = new ArrayList<>();
    for (HermesPart part : HermesParser.parts(message)) {
      if (part instanceof HermesPart.Block block) {
        ParsedToolCall written = ParsedToolCall.of(block);
        if (!written.readable()) {
          return Optional.empty();
        }
        functions.add(function(written));
      } else if (functions.isEmpty()) {
        text.append(part.text());
      } else if (!part.text().isBlank()) {
        return Optional.empty();
      }
    }
    return functions.isEmpty()
        ? Optional.empty()
        : Optional.of(new Told(text.toString().stripTrailing(), functions));
  }

  private static JsonObject function(ParsedToolCall written) {
    JsonObject function = new JsonObject();
    function.addProperty("name", written.call().tool());
    function.addProperty("arguments", ONE_LINE.toJson(JsonParser.parseString(written.arguments())));
    return function;
  }

  /** Returns the text of each of {@code calls}; empty if one of them names no function. */
  static Optional<List<String>> of(JsonArray calls) {
    List<String> texts = new ArrayList<>();
    for (JsonElement element : calls) {
      if (!(element instanceof JsonObject call
          && call.get("function") instanceof JsonObject function
          && function.get("name") instanceof JsonPrimitive name)) {
        return Optional.empty();
      }
      JsonObject written = new JsonObject();
      written.add("name", name);
      written.add("arguments", arguments(function.get("arguments")));
      // an end tag inside a string must not end the call
      String line = ONE_LINE.toJson(written).replace("</", "<\\/");
      texts.add("<tool_call>\n" + line + "\n</tool_call>");
    }
    return Optional.of(texts);
  }

  /**
   * Returns the arguments, a JSON object in a string; any other string is kept, so that its error
   * is reported to the model.
   */
  private static JsonElement arguments(@Nullable JsonElement given) {
    if (!(given instanceof JsonPrimitive text)) {
      return given == null || given.isJsonNull() ? new JsonObject() : given;
    }
    try {
      JsonElement read = JsonParser.parseString(text.getAsString());
      return read.isJsonObject() ? read : read.isJsonNull() ? new JsonObject() : text;
    } catch (JsonParseException e) {
      return text;
    }
  }
}

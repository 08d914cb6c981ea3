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
import roll.text.call.WrittenCall;

/**
 * Calls of tools that an answer tells apart from its text, as Hermes' and Qwen's models write them:
 * JSON in the tags {@code <tool_call>}. Agent types read them so, and so they are in the messages
 * of an episode.
 */
final class CallTexts {
  private static final Gson ONE_LINE =
      new GsonBuilder()
          .setStrictness(Strictness.STRICT)
          .setFormattingStyle(FormattingStyle.COMPACT.withSpaceAfterSeparators(true))
          .disableHtmlEscaping()
          .serializeNulls()
          .create();

  private CallTexts() {}

  /**
   * A message that ends with calls.
   *
   * @param text what precedes them
   * @param functions name and arguments of each as the protocol has them, arguments as text
   */
  record Told(String text, List<JsonObject> functions) {}

  /**
   * {@code message} taken apart; empty if it has no calls, text behind one, or one that cannot be
   * made.
   */
  static Optional<Told> read(String message) {
    StringBuilder text = new StringBuilder();
    List<JsonObject> functions = new ArrayList<>();
    for (HermesPart part : HermesParser.parts(message)) {
      if (part instanceof HermesPart.Block block) {
        WrittenCall written = WrittenCall.of(block);
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

  private static JsonObject function(WrittenCall written) {
    JsonObject function = new JsonObject();
    function.addProperty("name", written.call().tool());
    function.addProperty("arguments", ONE_LINE.toJson(JsonParser.parseString(written.arguments())));
    return function;
  }

  /** The text of each of {@code calls}; empty if one of them names no function. */
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
      // no end tag inside of a string is taken for that of the call
      String line = ONE_LINE.toJson(written).replace("</", "<\\/");
      texts.add("<tool_call>\n" + line + "\n</tool_call>");
    }
    return Optional.of(texts);
  }

  /**
   * The object that the protocol writes as text; a text that is not one stays, so that the model is
   * told what is wrong with it.
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

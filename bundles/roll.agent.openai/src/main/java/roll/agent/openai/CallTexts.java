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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Calls of tools that an answer tells apart from its text, as Hermes' and Qwen's models write them:
 * JSON in the tags {@code <tool_call>}.
 */
final class CallTexts {
  private static final Gson ONE_LINE =
      new GsonBuilder()
          .setFormattingStyle(FormattingStyle.COMPACT.withSpaceAfterSeparators(true))
          .disableHtmlEscaping()
          .serializeNulls()
          .create();

  private CallTexts() {}

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
   * The object that the protocol writes as text; a text that is none stays, so that the model is
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

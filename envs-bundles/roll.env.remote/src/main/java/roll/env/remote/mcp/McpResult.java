package roll.env.remote.mcp;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a call of a tool gave.
 *
 * @param text its texts, one after the other; where there are none, its structured content
 * @param picture the last of its pictures, a file in Base64
 * @param fields its structured content, or the JSON object that its text is; empty for others
 * @param refused whether the server did not take the call, or its tool failed; servers tell wrong
 *     arguments in both ways
 */
public record McpResult(String text, Optional<String> picture, JsonObject fields, boolean refused) {
  /** A call that the server did not take, because of {@code why}. */
  static McpResult refused(String why) {
    return new McpResult("Error: " + why, Optional.empty(), new JsonObject(), true);
  }

  /** The result of {@code tools/call}. */
  static McpResult of(JsonObject result) {
    List<String> texts = new ArrayList<>();
    Optional<String> picture = Optional.empty();
    if (result.get("content") instanceof JsonArray contents) {
      for (JsonElement each : contents) {
        JsonObject content = each instanceof JsonObject object ? object : new JsonObject();
        String type = text(content, "type");
        switch (type) {
          case "text" -> texts.add(text(content, "text"));
          case "image" -> picture = Optional.of(text(content, "data"));
          case "resource" -> texts.add(resource(content));
          case "resource_link" -> texts.add("[" + text(content, "uri") + "]");
          default -> texts.add("[" + type + "]");
        }
      }
    }
    String all = String.join("\n", texts);
    JsonElement structured = result.get("structuredContent");
    if (texts.isEmpty() && structured instanceof JsonObject shown) {
      all = shown.toString();
    }
    boolean failed = result.get("isError") instanceof JsonPrimitive error && error.getAsBoolean();
    return new McpResult(
        all, picture, structured instanceof JsonObject given ? given : parsed(all), failed);
  }

  private static String resource(JsonObject content) {
    return content.get("resource") instanceof JsonObject inside && inside.has("text")
        ? text(inside, "text")
        : "[resource]";
  }

  private static String text(JsonObject content, String name) {
    return content.get(name) instanceof JsonPrimitive text ? text.getAsString() : "";
  }

  private static JsonObject parsed(String text) {
    try {
      if (text.startsWith("{") && JsonParser.parseString(text) instanceof JsonObject fields) {
        return fields;
      }
    } catch (JsonParseException | StackOverflowError e) {
      // a text like any other
    }
    return new JsonObject();
  }
}

package roll.bridge.mcp;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a call of a tool gave.
 *
 * @param contents its parts, each with a {@code type}
 * @param structured its structured content, empty where there is none
 * @param refused whether the server did not take the call, or its tool failed; servers tell wrong
 *     arguments in both ways
 */
public record McpResult(List<JsonObject> contents, JsonObject structured, boolean refused) {
  private static final String IMAGE = "image";

  /** Of parts in their order. */
  public McpResult {
    contents = List.copyOf(contents);
  }

  /** A call that the server did not take, because of {@code why}. */
  static McpResult refused(String why) {
    JsonObject text = new JsonObject();
    text.addProperty("type", "text");
    text.addProperty("text", "Error: " + why);
    return new McpResult(List.of(text), new JsonObject(), true);
  }

  /** The result of {@code tools/call}. */
  static McpResult of(JsonObject result) {
    List<JsonElement> contents =
        result.get("content") instanceof JsonArray listed ? listed.asList() : List.of();
    boolean failed = result.get("isError") instanceof JsonPrimitive error && error.getAsBoolean();
    return new McpResult(
        contents.stream().map(McpResult::object).toList(),
        object(result.get("structuredContent")),
        failed);
  }

  /**
   * Its texts, one after the other, and what else there is by kind; where there is nothing, its
   * structured content.
   *
   * @param pictures whether they are named too
   */
  public String text(boolean pictures) {
    List<String> texts =
        contents.stream()
            .filter(content -> pictures || !text(content, "type").equals(IMAGE))
            .map(McpResult::text)
            .toList();
    return texts.isEmpty() && !structured.isEmpty()
        ? structured.toString()
        : String.join("\n", texts);
  }

  private static String text(JsonObject content) {
    String type = text(content, "type");
    return switch (type) {
      case "text" -> text(content, "text");
      case "resource" -> resource(object(content.get("resource")));
      case "resource_link" -> "[" + text(content, "uri") + "]";
      default ->
          content.has("mimeType")
              ? "[" + type + ", " + text(content, "mimeType") + "]"
              : "[" + type + "]";
    };
  }

  private static String resource(JsonObject inside) {
    return inside.has("text") ? text(inside, "text") : "[resource]";
  }

  /** The last of its pictures, a file in Base64. */
  public Optional<String> picture() {
    return contents.stream()
        .filter(content -> text(content, "type").equals(IMAGE))
        .map(content -> text(content, "data"))
        .collect(Collectors.reducing((_, later) -> later));
  }

  /** Its structured content, or the JSON object that its text is; empty for others. */
  public JsonObject fields() {
    if (!structured.isEmpty()) {
      return structured;
    }
    String text = text(false);
    try {
      if (text.startsWith("{") && JsonParser.parseString(text) instanceof JsonObject fields) {
        return fields;
      }
    } catch (JsonParseException | StackOverflowError e) {
      // a text like any other
    }
    return new JsonObject();
  }

  private static JsonObject object(@Nullable JsonElement element) {
    return element instanceof JsonObject object ? object : new JsonObject();
  }

  private static String text(JsonObject content, String name) {
    return content.get(name) instanceof JsonPrimitive text ? text.getAsString() : "";
  }
}

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
 * Result of a tool call.
 *
 * @param contents content parts, each with a {@code type}
 * @param structured structured content, or an empty object
 * @param refused whether the server rejected the call, or the tool failed; servers report invalid
 *     arguments in both ways
 */
public record McpResult(List<JsonObject> contents, JsonObject structured, boolean refused) {
  private static final String IMAGE = "image";

  /** Creates an MCP result with immutable copies of the parts. */
  public McpResult {
    contents = List.copyOf(contents);
  }

  /** Creates the result of a call that the server rejected because of {@code why}. */
  static McpResult refused(String why) {
    JsonObject text = new JsonObject();
    text.addProperty("type", "text");
    text.addProperty("text", "Error: " + why);
    return new McpResult(List.of(text), new JsonObject(), true);
  }

  /** Parses the result of {@code tools/call}. */
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
   * Returns the texts of a tool result and the types of other parts; without any, the structured
   * content.
   *
   * @param pictures whether to include the types of pictures
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

  /** Returns the last picture, as a file in Base64. */
  public Optional<String> picture() {
    return contents.stream()
        .filter(content -> text(content, "type").equals(IMAGE))
        .map(content -> text(content, "data"))
        .collect(Collectors.reducing((_, later) -> later));
  }

  /**
   * Returns the structured content, or the text parsed as a JSON object; otherwise an empty object.
   */
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

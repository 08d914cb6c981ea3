package roll.tool.mcp;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.reflect.TypeToken;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.tool.ToolSchema;

/** Converts the tools of an MCP server to schemas for the model. */
final class ToolSchemas {
  private static final int LONGEST_NAME = 64;
  private static final List<String> KEYS =
      List.of("properties", "required", "additionalProperties", "$defs", "definitions");

  private ToolSchemas() {}

  /**
   * Returns the schema of a tool; characters that are invalid in function names become underscores.
   */
  static ToolSchema of(String prefix, JsonObject tool) {
    String own = text(tool, "name", "");
    String name = (prefix + own).replaceAll("[^A-Za-z0-9_.-]", "_");
    return new ToolSchema(
        name.substring(0, Math.min(name.length(), LONGEST_NAME)),
        text(tool, "description", text(tool, "title", own)),
        parameters(tool.get("inputSchema") instanceof JsonObject given ? given : new JsonObject()));
  }

  private static String text(JsonObject tool, String key, String otherwise) {
    String text = tool.get(key) instanceof JsonPrimitive given ? given.getAsString() : "";
    return text.isBlank() ? otherwise : text;
  }

  private static Map<String, Object> parameters(JsonObject given) {
    JsonObject schema = new JsonObject();
    for (String key : KEYS) {
      JsonElement value = given.get(key);
      if (value != null && !value.isJsonNull()) {
        schema.add(key, value);
      }
    }
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("type", "object");
    parameters.put("properties", Map.of());
    parameters.put("required", List.of());
    parameters.putAll(
        McpServer.JSON.fromJson(schema, new TypeToken<Map<String, Object>>() {}.getType()));
    return parameters;
  }
}

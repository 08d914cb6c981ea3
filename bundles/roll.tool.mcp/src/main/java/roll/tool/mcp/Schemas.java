package roll.tool.mcp;

import io.modelcontextprotocol.spec.McpSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.tool.ToolSchema;

/** What a model is told of a server's tool. */
final class Schemas {
  private static final int LONGEST_NAME = 64;

  private Schemas() {}

  /** The tool's own schema; letters that no name of a function may have become underscores. */
  static ToolSchema of(String prefix, McpSchema.Tool tool) {
    String name = (prefix + tool.name()).replaceAll("[^A-Za-z0-9_.-]", "_");
    return new ToolSchema(
        name.substring(0, Math.min(name.length(), LONGEST_NAME)),
        text(tool.description(), text(tool.title(), tool.name())),
        parameters(tool.inputSchema()));
  }

  private static String text(@Nullable String text, String otherwise) {
    return text == null || text.isBlank() ? otherwise : text;
  }

  private static Map<String, Object> parameters(McpSchema.@Nullable JsonSchema schema) {
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("type", "object");
    parameters.put("properties", Map.of());
    parameters.put("required", List.of());
    if (schema != null) {
      put(parameters, "properties", schema.properties());
      put(parameters, "required", schema.required());
      put(parameters, "additionalProperties", schema.additionalProperties());
      put(parameters, "$defs", schema.defs());
      put(parameters, "definitions", schema.definitions());
    }
    return parameters;
  }

  private static void put(Map<String, Object> to, String key, @Nullable Object value) {
    if (value != null) {
      to.put(key, value);
    }
  }
}

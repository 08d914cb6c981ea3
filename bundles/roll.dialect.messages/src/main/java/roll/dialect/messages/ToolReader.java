package roll.dialect.messages;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import roll.openai.request.ApiException;
import roll.openai.request.JsonParts;
import roll.openai.request.RequestFields;

/** Reads the tools of a request into the form of chat completions. */
final class ToolReader {
  private ToolReader() {}

  /** Returns the tools in {@code fields}, at most {@code longest}. */
  static List<?> read(RequestFields fields, int longest) {
    if (!fields.has("tools")) {
      return List.of();
    }
    JsonArray list = JsonParts.list("tools", fields.get("tools"));
    if (list.size() > longest) {
      throw ApiException.tooMany("tools", list.size(), longest);
    }
    JsonArray tools = new JsonArray();
    for (int i = 0; i < list.size(); i++) {
      tools.add(tool("tools." + i, JsonParts.object("tools." + i, list.get(i))));
    }
    return (List<?>) RequestFields.plain(tools);
  }

  private static JsonObject tool(String where, JsonObject tool) {
    JsonElement type = tool.get("type");
    if (!JsonParts.missing(type) && !JsonParts.text(where, tool, "type").equals("custom")) {
      throw ApiException.invalid(where + ".type", "this server has tools of the type custom only");
    }
    JsonObject function = new JsonObject();
    function.addProperty("name", JsonParts.text(where, tool, "name"));
    if (!JsonParts.missing(tool.get("description"))) {
      function.addProperty("description", JsonParts.text(where, tool, "description"));
    }
    function.add("parameters", JsonParts.object(where + ".input_schema", tool.get("input_schema")));
    JsonObject entry = new JsonObject();
    entry.addProperty("type", "function");
    entry.add("function", function);
    return entry;
  }
}

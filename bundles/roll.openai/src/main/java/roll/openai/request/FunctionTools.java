package roll.openai.request;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/** The tools of a request, converted from the form of a dialect to that of chat templates. */
public final class FunctionTools {
  private FunctionTools() {}

  /** Converts one tool of a dialect. */
  @ConsumerType
  @FunctionalInterface
  public interface Converter {
    /**
     * Returns the function of a tool: its name, description and parameters.
     *
     * @param index its place in the list, from 0
     * @throws ApiException if the tool is refused
     */
    JsonObject convert(int index, JsonElement tool);
  }

  /**
   * Returns the tools in {@code fields}, empty if there are none.
   *
   * @throws ApiException if there are more than {@code longest}, or one is refused
   */
  public static List<?> read(RequestFields fields, int longest, Converter converter) {
    if (!fields.has("tools")) {
      return List.of();
    }
    JsonArray list = JsonParts.list("tools", fields.get("tools"));
    if (list.size() > longest) {
      throw ApiException.tooMany("tools", list.size(), longest);
    }
    JsonArray tools = new JsonArray();
    for (int i = 0; i < list.size(); i++) {
      JsonObject entry = new JsonObject();
      entry.addProperty("type", "function");
      entry.add("function", converter.convert(i, list.get(i)));
      tools.add(entry);
    }
    return (List<?>) RequestFields.plain(tools);
  }

  /** Returns a function with the name and the description of {@code tool}. */
  public static JsonObject named(String where, JsonObject tool) {
    JsonObject function = new JsonObject();
    function.addProperty("name", JsonParts.text(where, tool, "name"));
    if (!JsonParts.missing(tool.get("description"))) {
      function.addProperty("description", JsonParts.text(where, tool, "description"));
    }
    refuseStrict(where, tool);
    return function;
  }

  /** Refuses a tool whose arguments must match its schema. */
  public static void refuseStrict(String where, JsonObject tool) {
    if (new JsonPrimitive(true).equals(tool.get("strict"))) {
      throw ApiException.invalid(
          where + ".strict", "this server does not restrict arguments to a schema, expected false");
    }
  }
}

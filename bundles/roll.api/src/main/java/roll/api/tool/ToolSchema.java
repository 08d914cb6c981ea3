package roll.api.tool;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The description of a tool for a model.
 *
 * @param name name used in calls
 * @param description what it does, for the model
 * @param parameters JSON schema of the arguments, an object; in the order written
 */
public record ToolSchema(String name, String description, Map<String, Object> parameters) {
  /** Creates a tool schema and makes its parameters unmodifiable. */
  public ToolSchema {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
  }

  /**
   * The tool in the form used by chat templates and the OpenAI API, with keys in their usual order.
   */
  public Map<String, Object> listed() {
    Map<String, Object> function = new LinkedHashMap<>();
    function.put("name", name);
    function.put("description", description);
    function.put("parameters", parameters);
    Map<String, Object> listed = new LinkedHashMap<>();
    listed.put("type", "function");
    listed.put("function", function);
    return Collections.unmodifiableMap(listed);
  }

  /** Schemas of the arguments by name; empty if there are none. */
  public Map<String, Map<String, Object>> properties() {
    Map<String, Map<String, Object>> properties = new LinkedHashMap<>();
    if (parameters.get("properties") instanceof Map<?, ?> given) {
      given.forEach((key, value) -> properties.put(String.valueOf(key), texts(value)));
    }
    return properties;
  }

  /** Names of the required arguments. */
  public List<String> required() {
    List<String> required = new ArrayList<>();
    if (parameters.get("required") instanceof List<?> names) {
      names.forEach(name -> required.add(String.valueOf(name)));
    }
    return required;
  }

  private static Map<String, Object> texts(Object schema) {
    Map<String, Object> entries = new LinkedHashMap<>();
    if (schema instanceof Map<?, ?> map) {
      map.forEach((key, value) -> entries.put(String.valueOf(key), value));
    }
    return entries;
  }

  /** A tool with required arguments only. */
  public static ToolSchema of(String name, String description, Argument... arguments) {
    Map<String, Object> properties = new LinkedHashMap<>();
    List<String> required = new ArrayList<>();
    for (Argument argument : arguments) {
      Map<String, Object> property = new LinkedHashMap<>();
      property.put("type", argument.type());
      property.put("description", argument.description());
      properties.put(argument.name(), property);
      required.add(argument.name());
    }
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("type", "object");
    parameters.put("properties", properties);
    parameters.put("required", required);
    return new ToolSchema(name, description, parameters);
  }

  /**
   * One argument in the schema of a tool.
   *
   * @param type JSON schema type: string, integer, number, boolean, array, object
   */
  public record Argument(String name, String type, String description) {
    /** Creates an argument of type text. */
    public static Argument text(String name, String description) {
      return new Argument(name, "string", description);
    }
  }
}

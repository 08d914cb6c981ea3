package roll.runtime.tool;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;

/**
 * Whether a call fits the schema of its tool: its arguments are named by it, those it requires are
 * there, and each is of a type it allows. What a schema says beyond that (ranges, patterns) is the
 * tool's own affair.
 */
public final class ToolArguments {
  private ToolArguments() {}

  /**
   * Returns the reason for which {@code call} is invalid, one sentence about the first error as
   * shown to the model; empty if it is valid.
   *
   * @param schema of the tool that is called
   */
  public static Optional<String> problem(ToolSchema schema, ToolCall call) {
    if (call.problem() != null) {
      return Optional.of(call.problem());
    }
    Map<String, Map<String, Object>> known = schema.properties();
    for (Map.Entry<String, Object> argument : call.arguments().entrySet()) {
      String name = argument.getKey();
      Map<String, Object> property = known.get(name);
      if (property == null && !open(schema)) {
        return Optional.of("Invalid argument \"" + name + "\" for tool " + schema.name() + ".");
      }
      List<String> types = property == null ? List.of() : types(property.get("type"));
      if (!types.isEmpty() && types.stream().noneMatch(t -> is(t, argument.getValue()))) {
        return Optional.of(mistyped(schema.name(), name, types, argument.getValue()));
      }
    }
    return schema.required().stream()
        .filter(name -> !call.arguments().containsKey(name))
        .findFirst()
        .map(name -> "Missing argument \"" + name + "\" for tool " + schema.name() + ".");
  }

  /** Whether the tool's schema allows arguments that it does not name. */
  private static boolean open(ToolSchema schema) {
    Object others = schema.parameters().get("additionalProperties");
    return Boolean.TRUE.equals(others) || others instanceof Map<?, ?>;
  }

  private static List<String> types(@Nullable Object type) {
    return switch (type) {
      case String one -> List.of(one);
      case List<?> several -> several.stream().map(String::valueOf).toList();
      case null, default -> List.of();
    };
  }

  private static boolean is(String type, Object value) {
    return switch (type) {
      case "string" -> value instanceof String;
      case "integer" -> value instanceof Long || value instanceof Integer;
      case "number" -> value instanceof Number;
      case "boolean" -> value instanceof Boolean;
      case "array" -> value instanceof List<?>;
      case "object" -> value instanceof Map<?, ?>;
      case "null" -> false;
      default -> true;
    };
  }

  private static String mistyped(String tool, String name, List<String> types, Object value) {
    return "Invalid value for argument \""
        + name
        + "\" of tool "
        + tool
        + ": expected "
        + String.join(" or ", types)
        + ", found "
        + found(value)
        + ".";
  }

  private static String found(Object value) {
    return switch (value) {
      case String text -> "string";
      case Boolean flag -> "boolean";
      case Long whole -> "integer";
      case Integer whole -> "integer";
      case Number number -> "number";
      case List<?> list -> "array";
      default -> "object";
    };
  }
}

package roll.reward.format;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.reward.TaskFacts;
import roll.api.tool.ToolCall;

/**
 * An expected call, compared as by the checker of {@code
 * ShishirPatil/gorilla@a6da28ee:berkeley-function-call-leaderboard/bfcl_eval/eval_checker/ast_eval/ast_checker.py}
 * for Python. Texts are equal regardless of case, spaces and {@code ,./-_*^}.
 *
 * @param function name
 * @param allowed allowed values by parameter; with an empty text the parameter may be omitted
 * @param parameters schemas by parameter
 * @param required names of the required parameters
 */
record ExpectedCall(String function, Map<?, ?> allowed, Map<?, ?> parameters, List<?> required) {

  /**
   * Returns the call in {@code answer}, a mapping of its function to the allowed values; null if it
   * is none, or of a function that is not in {@code functions}.
   */
  static @Nullable ExpectedCall of(@Nullable Object answer, List<?> functions) {
    if (!(answer instanceof Map<?, ?> call)
        || call.size() != 1
        || !(call.keySet().iterator().next() instanceof String name)
        || !(call.get(name) instanceof Map<?, ?> allowed)
        || !allowed.values().stream().allMatch(List.class::isInstance)) {
      return null;
    }
    for (Object function : functions) {
      if (function instanceof Map<?, ?> described && name.equals(described.get("name"))) {
        return new ExpectedCall(
            name,
            allowed,
            TaskFacts.at(described, "parameters.properties") instanceof Map<?, ?> map
                ? map
                : Map.of(),
            TaskFacts.at(described, "parameters.required") instanceof List<?> list
                ? list
                : List.of());
      }
    }
    return null;
  }

  /** Returns whether {@code call} is well-formed, and this one. */
  boolean accepts(ToolCall call) {
    Map<String, Object> given = call.arguments();
    return call.problem() == null
        && call.tool().equals(function)
        && given.keySet().containsAll(required)
        && allowed.keySet().stream()
            .allMatch(name -> given.containsKey(name) || values(name).contains(""))
        && given.entrySet().stream()
            .allMatch(
                argument ->
                    parameters.get(argument.getKey()) instanceof Map<?, ?> schema
                        && allowed.containsKey(argument.getKey())
                        && allows(argument.getValue(), values(argument.getKey()), schema));
  }

  private List<?> values(Object name) {
    return allowed.get(name) instanceof List<?> list ? list : List.of();
  }

  /** A value of the schema's type, or of that of the first allowed one, such as a variable. */
  private static boolean allows(Object value, List<?> allowed, Map<?, ?> schema) {
    Object sample = allowed.stream().filter(one -> !"".equals(one)).findFirst().orElse(null);
    boolean typed = is(value, schema.get("type"));
    if (!typed && (sample == null || sample.getClass() != value.getClass())) {
      return false;
    }
    return allowed.stream().anyMatch(one -> equal(value, one));
  }

  private static boolean is(Object value, @Nullable Object type) {
    return switch (String.valueOf(type)) {
      case "integer" -> value instanceof Long;
      case "float", "number" -> value instanceof Number;
      case "boolean" -> value instanceof Boolean;
      case "array", "tuple" -> value instanceof List;
      case "dict", "object" -> value instanceof Map;
      default -> value instanceof String;
    };
  }

  /** Compares values; an allowed mapping has a list of allowed values for each of its names. */
  private static boolean equal(@Nullable Object value, @Nullable Object allowed) {
    return switch (value) {
      case String text -> allowed instanceof String other && plain(text).equals(plain(other));
      case Number number ->
          allowed instanceof Number other && number.doubleValue() == other.doubleValue();
      case List<?> list -> allowed instanceof List<?> others && elements(list, others);
      case Map<?, ?> map -> allowed instanceof Map<?, ?> others && fields(map, others);
      case null -> allowed == null;
      default -> value.equals(allowed);
    };
  }

  private static boolean elements(List<?> list, List<?> others) {
    boolean same = list.size() == others.size();
    for (int i = 0; same && i < list.size(); i++) {
      same = equal(list.get(i), others.get(i));
    }
    return same;
  }

  private static boolean fields(Map<?, ?> map, Map<?, ?> others) {
    return others.keySet().containsAll(map.keySet())
        && others.entrySet().stream()
            .allMatch(
                other ->
                    other.getValue() instanceof List<?> values
                        && (map.containsKey(other.getKey())
                            ? values.stream().anyMatch(one -> equal(map.get(other.getKey()), one))
                            : values.contains("")));
  }

  private static String plain(String text) {
    return text.replaceAll("[ ,./\\-_*^]", "").toLowerCase(Locale.ROOT).replace('\'', '"');
  }
}

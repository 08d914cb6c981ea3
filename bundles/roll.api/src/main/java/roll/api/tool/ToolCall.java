package roll.api.tool;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tool call in a response.
 *
 * @param tool name of the tool as written; empty if it could not be parsed
 * @param arguments JSON values: String, Long, Double, Boolean, List, Map; null values are omitted
 * @param problem why the call cannot be executed, as a message to the model, or null
 */
public record ToolCall(String tool, Map<String, Object> arguments, @Nullable String problem) {
  /** Creates a tool call and makes its arguments unmodifiable. */
  public ToolCall {
    arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
  }

  /** Creates a well-formed tool call. */
  public static ToolCall of(String tool, Map<String, ?> arguments) {
    return new ToolCall(tool, new LinkedHashMap<>(arguments), null);
  }

  /** Creates a malformed tool call, which has a description of the problem. */
  public static ToolCall malformed(String tool, String problem) {
    return new ToolCall(tool, Map.of(), problem);
  }
}

package roll.api.tool;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call that a model wrote.
 *
 * @param tool name of the tool as written; empty where the call could not be read so far
 * @param arguments as JSON has them: text, Long, Double, Boolean, lists, maps; what is null is left
 *     out
 * @param problem why the call cannot be made, for the model to read, or null
 */
public record ToolCall(String tool, Map<String, Object> arguments, @Nullable String problem) {
  /** Makes the arguments unmodifiable. */
  public ToolCall {
    arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
  }

  /** A call that can be made. */
  public static ToolCall of(String tool, Map<String, ?> arguments) {
    return new ToolCall(tool, new LinkedHashMap<>(arguments), null);
  }

  /** Text that was meant to be a call but is not one. */
  public static ToolCall malformed(String tool, String problem) {
    return new ToolCall(tool, Map.of(), problem);
  }
}

package roll.agent.types;

import java.util.LinkedHashMap;
import java.util.Map;
import roll.agent.types.ArgumentJson.Refusal;
import roll.api.tool.ToolCall;

/**
 * A call as JSON: {@code {"name": "search", "arguments": {"query": "x"}}}. The arguments may also
 * be a text that holds the JSON of an object; without any there are none.
 */
final class CallJson {
  private CallJson() {}

  /**
   * The call in one line. A {@code </} inside of a string is written {@code <\/}, which JSON allows
   * and reads as the same, so that no end tag around the call is found too early.
   *
   * @throws IllegalArgumentException if the call is one that cannot be made
   */
  static String write(ToolCall call) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("name", name(call));
    object.put("arguments", call.arguments());
    return line(object);
  }

  /** JSON in one line, in which no end tag is found. */
  static String line(Map<String, Object> object) {
    return JsonTexts.line(object).replace("</", "<\\/");
  }

  /** The tool of a call that can be made. */
  static String name(ToolCall call) {
    if (call.problem() != null) {
      throw new IllegalArgumentException("a call that cannot be made is not written");
    }
    return call.tool();
  }

  /** What {@code json} calls, or was meant to. */
  static ToolCall read(String json) {
    try {
      return of(ArgumentJson.whole(json));
    } catch (Refusal e) {
      return malformed("", e);
    }
  }

  /** The call that {@code object} is. */
  static ToolCall of(Map<String, Object> object) {
    if (!(object.get("name") instanceof String name) || name.isBlank()) {
      return malformed("", new Refusal("\"name\" is missing or no text"));
    }
    try {
      return ToolCall.of(name.strip(), arguments(object));
    } catch (Refusal e) {
      return malformed(name.strip(), e);
    }
  }

  private static Map<String, Object> arguments(Map<String, Object> object) throws Refusal {
    return switch (object.get("arguments")) {
      case null -> Map.of();
      case Map<?, ?> map -> texts(map);
      case String text -> inner(text);
      default -> throw new Refusal("\"arguments\" is no object");
    };
  }

  private static Map<String, Object> inner(String text) throws Refusal {
    try {
      return ArgumentJson.whole(text);
    } catch (Refusal e) {
      throw new Refusal("in \"arguments\" " + e.getMessage());
    }
  }

  private static Map<String, Object> texts(Map<?, ?> map) {
    Map<String, Object> texts = new LinkedHashMap<>();
    map.forEach((key, value) -> texts.put(String.valueOf(key), value));
    return texts;
  }

  /** What was meant to be a call of {@code tool}, and why it is none. */
  static ToolCall malformed(String tool, Refusal why) {
    return ToolCall.malformed(
        tool, "Invalid input: " + why.getMessage() + ", input must be a valid JSON object.");
  }
}

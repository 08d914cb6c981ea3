package roll.agent.types;

import java.util.LinkedHashMap;
import java.util.Map;
import roll.api.tool.ToolCall;
import roll.text.call.ParsedToolCall;

/** Writes calls as JSON, as {@link ParsedToolCall} reads them. */
final class ToolCallWriter {
  private ToolCallWriter() {}

  /**
   * Returns the tool call as JSON in one line. A {@code </} inside a string is written {@code <\/},
   * its JSON equivalent, so that it cannot be mistaken for an end tag.
   *
   * @throws IllegalArgumentException if the call is malformed
   */
  static String write(ToolCall call) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("name", name(call));
    object.put("arguments", call.arguments());
    return line(object);
  }

  /** Returns the tool call as JSON in one line without end tags. */
  static String line(Map<String, Object> object) {
    return JsonTexts.line(object).replace("</", "<\\/");
  }

  /** Returns the tool of a well-formed call. */
  static String name(ToolCall call) {
    if (call.problem() != null) {
      throw new IllegalArgumentException("a malformed call cannot be written");
    }
    return call.tool();
  }
}

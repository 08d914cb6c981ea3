package roll.agent.types;

import java.util.LinkedHashMap;
import java.util.Map;
import roll.api.tool.ToolCall;
import roll.text.call.WrittenCall;

/** Writes calls as JSON, as {@link WrittenCall} reads them. */
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
}

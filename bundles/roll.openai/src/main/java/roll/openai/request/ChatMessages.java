package roll.openai.request;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;

/**
 * The conversation of a request to {@code /v1/chat/completions}.
 *
 * @param messages messages in the form of chat templates: {@code role}, {@code content} (a text, or
 *     parts where there is a picture), {@code tool_calls} with arguments as objects, and in a
 *     tool's result {@code tool_call_id} and {@code name}
 * @param tools tools of the request, unchanged; empty for none
 * @param pictures pictures of the messages, in order
 */
public record ChatMessages(
    List<Map<String, Object>> messages, List<?> tools, List<Picture> pictures) {
  /** Creates the chat messages with immutable copies of the lists. */
  public ChatMessages {
    messages = List.copyOf(messages);
    tools = List.copyOf(tools);
    pictures = List.copyOf(pictures);
  }

  /**
   * Returns the assistant's {@code message} in the form of {@link #messages}, as when a client
   * sends it back.
   *
   * @throws ApiException if it is not a message
   */
  public static Map<String, Object> echo(JsonObject message) throws InterruptedException {
    return MessageReader.one(message);
  }

  /**
   * Returns {@code message} in a form in which messages of equal meaning are equal: without the ids
   * of calls, and with numbers by value, since clients in JavaScript write 1 for 1.0.
   */
  public static Map<String, Object> comparable(Map<String, Object> message) {
    Map<String, Object> copy = new LinkedHashMap<>(message);
    copy.remove("tool_call_id");
    if (copy.get("tool_calls") instanceof List<?> calls) {
      List<@Nullable Object> functions = new ArrayList<>();
      for (Object call : calls) {
        functions.add(valued(call instanceof Map<?, ?> entry ? entry.get("function") : call));
      }
      copy.put("tool_calls", functions);
    }
    return copy;
  }

  private static @Nullable Object valued(@Nullable Object json) {
    return switch (json) {
      case Number number -> number.doubleValue() + 0.0; // -0 is 0
      case List<?> list -> {
        List<@Nullable Object> values = new ArrayList<>();
        list.forEach(value -> values.add(valued(value)));
        yield values;
      }
      case Map<?, ?> map -> {
        Map<Object, @Nullable Object> values = new LinkedHashMap<>();
        map.forEach((name, value) -> values.put(name, valued(value)));
        yield values;
      }
      case null, default -> json;
    };
  }

  /** Returns the text of {@code message} with calls in the format of Hermes and Qwen models. */
  public static String text(Map<String, Object> message) {
    String content = String.valueOf(message.get("content"));
    return message.get("tool_calls") instanceof List<?> calls
        ? ToolCallRenderer.written(content, calls)
        : content;
  }
}

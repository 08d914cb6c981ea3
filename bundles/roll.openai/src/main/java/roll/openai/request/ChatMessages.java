package roll.openai.request;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;

/**
 * What a request to {@code /v1/chat/completions} says.
 *
 * @param messages as chat templates take them: {@code role}, {@code content} (a text, or parts
 *     where a picture is among them), {@code tool_calls} with their arguments as objects, and of a
 *     result {@code tool_call_id} and {@code name}
 * @param tools that the model is shown, as they were sent; empty for none
 * @param pictures of the messages, in order
 */
public record ChatMessages(
    List<Map<String, Object>> messages, List<?> tools, List<Picture> pictures) {
  /** Copies the lists. */
  public ChatMessages {
    messages = List.copyOf(messages);
    tools = List.copyOf(tools);
    pictures = List.copyOf(pictures);
  }

  /**
   * {@code message} of an answer, as it is among {@link #messages} when a client sends it back.
   *
   * @throws ApiException if it is no message
   */
  public static Map<String, Object> echo(JsonObject message) throws InterruptedException {
    return Conversation.one(message);
  }

  /**
   * {@code message} in the form in which those that say the same are equal: without the ids of
   * calls, which are told apart by them and say nothing, and with numbers by their value, since
   * clients in JavaScript write 1 for 1.0.
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

  /**
   * The text of {@code message} where a format shows calls as text, in the form of Hermes' and
   * Qwen's models.
   */
  public static String text(Map<String, Object> message) {
    String content = String.valueOf(message.get("content"));
    return message.get("tool_calls") instanceof List<?> calls
        ? WrittenCalls.written(content, calls)
        : content;
  }
}

package roll.openai.request;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
   * {@code message} without the ids of calls, which are told apart by them and say nothing: two are
   * equal if a model is shown the same.
   */
  public static Map<String, Object> withoutIds(Map<String, Object> message) {
    Map<String, Object> copy = new LinkedHashMap<>(message);
    copy.remove("tool_call_id");
    if (copy.get("tool_calls") instanceof List<?> calls) {
      List<Object> functions = new ArrayList<>();
      for (Object call : calls) {
        functions.add(call instanceof Map<?, ?> entry ? entry.get("function") : call);
      }
      copy.put("tool_calls", functions);
    }
    return copy;
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

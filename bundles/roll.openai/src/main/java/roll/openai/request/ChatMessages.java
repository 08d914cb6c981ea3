package roll.openai.request;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;
import roll.text.call.ThinkTags;

/**
 * The conversation of a request.
 *
 * @param messages messages in the form of chat templates: {@code role}, {@code content} (a text, or
 *     parts where there is a picture), {@code tool_calls} with arguments as objects, and in a
 *     tool's result {@code tool_call_id} and {@code name}
 * @param tools tools of the request in the form of chat completions; empty for none
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

  /** Returns the conversation with {@code message} at its end. */
  public ChatMessages with(Map<String, Object> message) {
    List<Map<String, Object>> more = new ArrayList<>(messages);
    more.add(message);
    return new ChatMessages(more, tools, pictures);
  }

  /** Returns a message of the assistant; calls are made by {@link #call}. */
  public static Map<String, Object> assistant(String text, List<Map<String, Object>> calls) {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("role", "assistant");
    if (!calls.isEmpty()) {
      message.put("tool_calls", List.copyOf(calls));
    }
    message.put("content", text);
    return message;
  }

  /** Returns a tool call of the assistant. */
  public static Map<String, Object> call(String id, String name, Object arguments) {
    Map<String, Object> function = new LinkedHashMap<>();
    function.put("name", name);
    function.put("arguments", arguments);
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("id", id);
    entry.put("type", "function");
    entry.put("function", function);
    return entry;
  }

  /**
   * Returns {@code message} in a form in which messages of equal meaning are equal: without the ids
   * of calls, with numbers by value, since clients in JavaScript write 1 for 1.0, and with the
   * thought at its beginning between tags, one of which may not have been sampled.
   */
  public static Map<String, Object> comparable(Map<String, Object> message) {
    Map<String, Object> copy = new LinkedHashMap<>(message);
    copy.remove("tool_call_id");
    if (copy.get("content") instanceof String text && "assistant".equals(copy.get("role"))) {
      copy.put("content", ThinkTags.closed(text));
    }
    if (copy.get("tool_calls") instanceof List<?> calls) {
      List<@Nullable Object> functions = new ArrayList<>();
      for (Object call : calls) {
        functions.add(valued(call instanceof Map<?, ?> entry ? entry.get("function") : call));
      }
      copy.put("tool_calls", functions);
    }
    return copy;
  }

  /**
   * Returns {@code tools} in a form in which tools of equal meaning are equal in all dialects:
   * without null members and {@code strict}, and with numbers by value.
   */
  public static List<@Nullable Object> comparable(List<?> tools) {
    List<@Nullable Object> functions = new ArrayList<>();
    for (Object tool : tools) {
      Object function = tool instanceof Map<?, ?> entry ? entry.get("function") : tool;
      Map<Object, @Nullable Object> members = new LinkedHashMap<>();
      if (function instanceof Map<?, ?> named) {
        named.forEach((name, value) -> members.put(name, valued(value)));
      }
      members.remove("strict");
      members.values().removeIf(Objects::isNull);
      functions.add(members);
    }
    return functions;
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

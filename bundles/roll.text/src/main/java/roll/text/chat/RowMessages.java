package roll.text.chat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * Converts the messages of a data set's row to the form of chat templates, from any of the usual
 * forms: OpenAI's ({@code role}, {@code content}) or ShareGPT's ({@code from}, {@code value}),
 * contents as text or parts; and lists, calls and arguments as values or JSON strings.
 */
public final class RowMessages {
  private static final Map<String, String> ROLES =
      Map.ofEntries(
          Map.entry("system", "system"),
          Map.entry("developer", "system"),
          Map.entry("user", "user"),
          Map.entry("human", "user"),
          Map.entry("assistant", "assistant"),
          Map.entry("gpt", "assistant"),
          Map.entry("chatgpt", "assistant"),
          Map.entry("model", "assistant"),
          Map.entry("function_call", "assistant"),
          Map.entry("tool", "tool"),
          Map.entry("function", "tool"),
          Map.entry("observation", "tool"),
          Map.entry("ipython", "tool"));

  private static final Set<String> PICTURES = Set.of("image", "images", "picture", "pictures");

  private final String where;
  private final @Nullable String place;

  private RowMessages(String where, @Nullable String place) {
    this.where = where;
    this.place = place;
  }

  /** Returns whether {@code value} is a list of messages or a JSON string of one. */
  public static boolean is(@Nullable Object value) {
    Object read = JsonText.is(value, '[') ? JsonText.read(String.valueOf(value)) : value;
    return read instanceof List<?> list
        && !list.isEmpty()
        && list.stream()
            .allMatch(
                one ->
                    one instanceof Map<?, ?> map
                        && (map.containsKey("role") || map.containsKey("from")));
  }

  /**
   * Returns the messages in {@code value}, each a mapping with {@code role} and {@code content};
   * other keys are kept.
   *
   * @param where row and field, for messages
   * @param place placeholder of a picture in a content, or null to refuse pictures
   * @throws UserException if it is not a list of messages
   */
  public static List<Map<String, @Nullable Object>> of(
      String where, Object value, @Nullable String place) {
    Object read = JsonText.is(value, '[') ? JsonText.read(String.valueOf(value)) : value;
    if (!(read instanceof List<?> list)) {
      throw new UserException(where + ": expected a list of chat messages");
    }
    RowMessages reader = new RowMessages(where, place);
    List<Map<String, @Nullable Object>> messages = new ArrayList<>();
    for (Object one : list) {
      if (!(one instanceof Map<?, ?> map)) {
        throw new UserException(where + ": a chat message is a mapping with a 'role'");
      }
      messages.add(reader.message(map));
    }
    return messages;
  }

  /**
   * Returns the tools in {@code value}: a list, a JSON string of one, or a list of JSON strings;
   * null without tools.
   *
   * @param where row and field, for messages
   * @throws UserException if it is something else
   */
  public static @Nullable List<@Nullable Object> tools(String where, @Nullable Object value) {
    if (value == null
        || (value instanceof String text && (text.isBlank() || text.strip().equals("null")))) {
      return null;
    }
    Object read = JsonText.parsed(value);
    if (!(read instanceof List<?> list)) {
      throw new UserException(where + ": expected a list of tools, or the JSON text of one");
    }
    List<@Nullable Object> tools = new ArrayList<>();
    for (Object tool : list) {
      Object one = JsonText.is(tool, '{') ? JsonText.read(String.valueOf(tool)) : tool;
      if (!(one instanceof Map<?, ?>)) {
        throw new UserException(
            where + ": a tool is a mapping such as {\"type\": \"function\", …}");
      }
      tools.add(one);
    }
    return tools.isEmpty() ? null : tools;
  }

  /**
   * Returns the names of the fields with pictures: mappings with {@code bytes}, and fields with the
   * name of a picture.
   */
  public static List<String> pictures(Map<String, ?> fields) {
    return fields.entrySet().stream()
        .filter(field -> PICTURES.contains(field.getKey()) || isPicture(field.getValue()))
        .filter(field -> !List.of().equals(field.getValue()) && !"".equals(field.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static boolean isPicture(@Nullable Object value) {
    return (value instanceof Map<?, ?> map && map.get("bytes") instanceof String)
        || (value instanceof List<?> list && !list.isEmpty() && isPicture(list.getFirst()));
  }

  private Map<String, @Nullable Object> message(Map<?, ?> map) {
    Map<String, @Nullable Object> message = new LinkedHashMap<>();
    String name = map.get("role") instanceof String role ? role : "";
    boolean shared = name.isEmpty() && map.get("from") instanceof String;
    if (shared) {
      name = String.valueOf(map.get("from"));
    }
    String role = ROLES.get(name);
    if (role == null) {
      throw new UserException(
          name.isEmpty()
              ? where + ": a chat message is a mapping with a 'role'"
              : "%s: a chat message has the role '%s' (allowed: system, user, assistant, tool; ShareGPT's: human, gpt, function_call, observation)"
                  .formatted(where, name));
    }
    message.put("role", role);
    Object content = map.get(shared ? "value" : "content");
    if (name.equals("function_call")) {
      message.put("content", "");
      message.put("tool_calls", calls(content));
    } else {
      message.put("content", text(content));
    }
    map.forEach((key, value) -> message.putIfAbsent(String.valueOf(key), value));
    message.remove("from");
    message.remove("value");
    Object calls = message.get("tool_calls");
    if (calls instanceof List<?> list && list.isEmpty()) {
      message.remove("tool_calls");
    } else if (calls != null && !name.equals("function_call")) {
      message.put("tool_calls", calls(calls));
    }
    return message;
  }

  /** Returns the text, or the concatenated texts of parts. */
  private String text(@Nullable Object content) {
    if (content == null || content instanceof String) {
      return content == null ? "" : String.valueOf(content);
    }
    if (!(content instanceof List<?> parts)) {
      throw new UserException(where + ": a chat message's content is a text or a list of parts");
    }
    StringBuilder text = new StringBuilder();
    for (Object part : parts) {
      if (part instanceof String written) {
        text.append(written);
      } else if (part instanceof Map<?, ?> map
          && (map.get("type") == null || "text".equals(map.get("type")))
          && map.get("text") instanceof String written) {
        text.append(written);
      } else if (place != null
          && part instanceof Map<?, ?> map
          && "image".equals(map.get("type"))
          && map.keySet().stream().allMatch(List.of("type", "index")::contains)) {
        text.append(place);
      } else {
        String type = part instanceof Map<?, ?> map ? String.valueOf(map.get("type")) : "none";
        throw new UserException(
            "%s: a part of a chat message has the type '%s' (allowed: text%s)"
                .formatted(
                    where,
                    type,
                    place == null ? "" : ", and image for a picture of the row's own field"));
      }
    }
    return text.toString();
  }

  /** Returns calls with names, and with arguments as objects. */
  private List<Object> calls(@Nullable Object value) {
    Object read = JsonText.parsed(value);
    List<Object> calls = new ArrayList<>();
    for (Object one :
        read instanceof List<?> list ? list : read == null ? List.of() : List.of(read)) {
      if (!(one instanceof Map<?, ?> call)) {
        throw wrongCall();
      }
      calls.add(call(call));
    }
    if (calls.isEmpty()) {
      throw wrongCall();
    }
    return calls;
  }

  private Map<String, @Nullable Object> call(Map<?, ?> call) {
    Map<?, ?> function = call.get("function") instanceof Map<?, ?> inner ? inner : call;
    if (!(function.get("name") instanceof String name)) {
      throw wrongCall();
    }
    Object arguments = function.get("arguments");
    if (arguments instanceof String text) {
      arguments = text.isBlank() ? Map.of() : JsonText.read(text);
    } else if (arguments == null) {
      arguments = Map.of();
    }
    if (!(arguments instanceof Map<?, ?>)) {
      throw new UserException(
          "%s: the arguments of a call of '%s' are no JSON object".formatted(where, name));
    }
    Map<String, @Nullable Object> named = new LinkedHashMap<>();
    named.put("name", name);
    named.put("arguments", arguments);
    Map<String, @Nullable Object> entry = new LinkedHashMap<>();
    if (call.get("id") != null) {
      entry.put("id", call.get("id"));
    }
    entry.put("type", "function");
    entry.put("function", named);
    return entry;
  }

  private UserException wrongCall() {
    return new UserException(
        where + ": a call is a mapping with the 'name' and the 'arguments' of a function");
  }
}

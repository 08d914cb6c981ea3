package roll.openai.request;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.runtime.serving.PictureSettings;

/** Builds a conversation in the form of chat templates from the messages of a request. */
public final class ConversationBuilder {
  private final List<Map<String, Object>> messages = new ArrayList<>();

  /** Names of called tools by the id of the call. */
  private final Map<String, String> called = new HashMap<>();

  private final RequestPictures pictures;

  /**
   * Creates a builder.
   *
   * @param allowed the pictures that the model accepts
   */
  public ConversationBuilder(PictureSettings allowed) {
    this.pictures = new RequestPictures(allowed, List.of());
  }

  /** Creates a builder of a conversation that begins with {@code system} and {@code before}. */
  public ConversationBuilder(
      PictureSettings allowed, @Nullable String system, ChatMessages before) {
    this.pictures = new RequestPictures(allowed, before.pictures());
    if (system != null) {
      add("system", content().text(system));
    }
    for (Map<String, Object> message : before.messages()) {
      messages.add(message);
      if (message.get("tool_calls") instanceof List<?> calls) {
        for (Object call : calls) {
          Map<?, ?> entry = (Map<?, ?>) call;
          Map<?, ?> function = (Map<?, ?>) Objects.requireNonNull(entry.get("function"));
          called.put(String.valueOf(entry.get("id")), String.valueOf(function.get("name")));
        }
      }
    }
  }

  /** Returns the empty content of a message. */
  public MessageContent content() {
    return new MessageContent(pictures);
  }

  /** Adds a message of the system or the user. */
  public void add(String role, MessageContent content) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("role", role);
    entry.put("content", content.value());
    messages.add(entry);
  }

  /** Returns a tool call of the assistant, whose result may follow. */
  public Map<String, Object> call(String id, String name, Object arguments) {
    called.put(id, name);
    return ChatMessages.call(id, name, arguments);
  }

  /** Adds a message of the assistant, a text; calls are made by {@link #call}. */
  public void assistant(MessageContent content, List<Map<String, Object>> calls) {
    messages.add(ChatMessages.assistant(String.valueOf(content.value()), calls));
  }

  /**
   * Adds the result of the call {@code id}.
   *
   * @param where place of the result, and {@code name} of its id, for an error
   * @throws ApiException if no such call comes before
   */
  public void result(String where, String name, String id, MessageContent content) {
    String tool = called.get(id);
    if (tool == null) {
      throw ApiException.invalid(
          where, "a message of a tool must follow the call with its " + name);
    }
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("role", "tool");
    entry.put("tool_call_id", id);
    entry.put("name", tool);
    entry.put("content", content.value());
    messages.add(entry);
  }

  /** Returns the conversation with {@code tools} in the form of chat completions. */
  public ChatMessages build(List<?> tools) {
    return new ChatMessages(messages, tools, pictures.shown());
  }
}

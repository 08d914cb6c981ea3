package roll.agent.openai;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import roll.api.data.Message;
import roll.api.data.Message.Part;

/** Converts the messages of an episode to the form of the protocol. */
final class ChatHistoryEncoder {
  private final JsonArray sent = new JsonArray();
  private final List<Message> messages;
  private int calls;

  private ChatHistoryEncoder(List<Message> messages) {
    this.messages = messages;
  }

  /**
   * Returns messages with {@code tool_calls}, and results with the id of their call. A turn with
   * text after a call, a malformed call, or a different number of results stays text.
   */
  static JsonArray withCalls(List<Message> messages) {
    ChatHistoryEncoder history = new ChatHistoryEncoder(messages);
    int next = 0;
    while (next < messages.size()) {
      next += history.turn(next) ? 1 + history.results(next + 1) : history.text(next);
    }
    return history.sent;
  }

  /**
   * Returns messages with calls as text, and results in the form of Hermes' and Qwen's templates.
   */
  static JsonArray asText(List<Message> messages) {
    ChatHistoryEncoder history = new ChatHistoryEncoder(messages);
    int next = 0;
    while (next < messages.size()) {
      next += history.text(next);
    }
    return history.sent;
  }

  /**
   * Adds the message at {@code index} with its calls and the results that follow; returns false if
   * there is not one result for each call.
   */
  private boolean turn(int index) {
    Message message = messages.get(index);
    int results = results(index + 1);
    if (!message.role().equals("assistant") || results == 0) {
      return false;
    }
    Optional<HermesCallText.Told> told =
        HermesCallText.read(message.content()).filter(said -> said.functions().size() == results);
    told.ifPresent(said -> add(said, messages.subList(index + 1, index + 1 + results)));
    return told.isPresent();
  }

  private void add(HermesCallText.Told told, List<Message> results) {
    JsonObject caller = message("assistant", told.text());
    if (told.text().isEmpty()) {
      caller.add("content", JsonNull.INSTANCE);
    }
    JsonArray entries = new JsonArray();
    caller.add("tool_calls", entries);
    sent.add(caller);
    for (int i = 0; i < results.size(); i++) {
      // Mistral's models require nine letters and digits
      String id = String.format(Locale.ROOT, "call%05d", calls++);
      JsonObject call = new JsonObject();
      call.addProperty("id", id);
      call.addProperty("type", "function");
      call.add("function", told.functions().get(i));
      entries.add(call);
      JsonObject result = message("tool", results.get(i).content());
      result.addProperty("tool_call_id", id);
      sent.add(result);
    }
  }

  /**
   * Adds a message as text, or consecutive results as one user message; returns the number of
   * messages used.
   */
  private int text(int index) {
    int results = results(index);
    if (results == 0) {
      Message message = messages.get(index);
      sent.add(message(message.role(), message.parts()));
      return 1;
    }
    List<Part> parts = new ArrayList<>();
    for (int i = index; i < index + results; i++) {
      parts.add(new Part.Text((i > index ? "\n" : "") + "<tool_response>\n"));
      parts.addAll(messages.get(i).parts());
      parts.add(new Part.Text("\n</tool_response>"));
    }
    sent.add(message("user", parts));
    return results;
  }

  /** Returns the number of tool results starting at {@code index}. */
  private int results(int index) {
    int end = index;
    while (end < messages.size() && messages.get(end).role().equals("tool")) {
      end++;
    }
    return end - index;
  }

  private static JsonObject message(String role, String content) {
    return message(role, List.of(new Part.Text(content)));
  }

  private static JsonObject message(String role, List<Part> content) {
    JsonObject message = new JsonObject();
    message.addProperty("role", role);
    message.add("content", ContentParts.of(content));
    return message;
  }
}

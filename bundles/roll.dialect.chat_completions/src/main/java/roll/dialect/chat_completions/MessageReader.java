package roll.dialect.chat_completions;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import roll.openai.dialect.ChatModel;
import roll.openai.request.ApiException;
import roll.openai.request.ChatMessages;
import roll.openai.request.ConversationBuilder;
import roll.openai.request.JsonParts;
import roll.openai.request.MessageContent;
import roll.openai.request.RequestFields;

/** Reads the messages of a request. */
final class MessageReader {
  private final ConversationBuilder conversation;

  private MessageReader(ConversationBuilder conversation) {
    this.conversation = conversation;
  }

  /**
   * Returns the conversation of the messages in {@code fields}, at most as many as the model has
   * tokens, since each has at least one.
   *
   * @param tools tools of the request
   */
  static ChatMessages read(RequestFields fields, List<?> tools, ChatModel model)
      throws InterruptedException {
    if (!(fields.get("messages") instanceof JsonArray list) || list.isEmpty()) {
      throw fields.wrong("messages", "a list of at least one message");
    }
    if (list.size() > model.longest()) {
      throw ApiException.tooMany("messages", list.size(), model.longest());
    }
    ConversationBuilder conversation = new ConversationBuilder(model.pictures());
    MessageReader reader = new MessageReader(conversation);
    for (int i = 0; i < list.size(); i++) {
      reader.add("messages[" + i + "]", list.get(i));
    }
    return conversation.build(tools);
  }

  private void add(String where, JsonElement json) throws InterruptedException {
    JsonObject message = JsonParts.object(where, json);
    String role = JsonParts.text(where, message, "role");
    switch (role) {
      case "system", "user" -> conversation.add(role, content(where, message, false));
      case "developer" -> conversation.add("system", content(where, message, false));
      case "assistant" -> assistant(where, message);
      case "tool" -> {
        String id = JsonParts.text(where, message, "tool_call_id");
        conversation.result(where, "tool_call_id", id, content(where, message, false));
      }
      default ->
          throw ApiException.invalid(
              where + ".role",
              "expected system, developer, user, assistant or tool, found " + role);
    }
  }

  private void assistant(String where, JsonObject message) throws InterruptedException {
    JsonElement listed = message.get("tool_calls");
    List<Map<String, Object>> calls =
        JsonParts.missing(listed) ? List.of() : calls(where + ".tool_calls", listed);
    MessageContent content = content(where, message, !calls.isEmpty());
    if (content.hasPicture()) {
      throw ApiException.invalid(where + ".content", "the assistant shows no pictures");
    }
    conversation.assistant(content, calls);
  }

  private MessageContent content(String message, JsonObject json, boolean optional)
      throws InterruptedException {
    String where = message + ".content";
    JsonElement content = json.get("content");
    MessageContent read = conversation.content();
    if (JsonParts.missing(content)) {
      if (optional) {
        return read;
      }
      throw ApiException.invalid(where, "expected a text or a list of parts, found nothing");
    }
    if (!(content instanceof JsonArray parts)) {
      return read.text(JsonParts.text(where, content));
    }
    for (int i = 0; i < parts.size(); i++) {
      String place = where + "[" + i + "]";
      if (!(parts.get(i) instanceof JsonObject part)) {
        throw ApiException.invalid(place, "expected a part with a type");
      }
      switch (JsonParts.text(place, part, "type")) {
        case "text" -> read.text(JsonParts.text(place, part, "text"));
        case "image_url" -> {
          read.expectPicture(place);
          read.picture(place + ".image_url.url", url(place, part));
        }
        default ->
            throw ApiException.invalid(
                place, "this server reads parts of type text and image_url only");
      }
    }
    return read;
  }

  private static String url(String where, JsonObject part) {
    JsonElement image = part.get("image_url");
    JsonElement url = image instanceof JsonObject object ? object.get("url") : image;
    if (url instanceof JsonPrimitive text && text.isString()) {
      return text.getAsString();
    }
    throw ApiException.invalid(where + ".image_url", "expected an object with a url");
  }

  private List<Map<String, Object>> calls(String where, JsonElement json) {
    JsonArray list = JsonParts.list(where, json);
    List<Map<String, Object>> calls = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      String place = where + "[" + i + "]";
      if (!(list.get(i) instanceof JsonObject call)
          || !(call.get("function") instanceof JsonObject function)) {
        throw ApiException.invalid(place, "expected a call with id, type and function");
      }
      String id = JsonParts.text(place, call, "id");
      String name = JsonParts.text(place + ".function", function, "name");
      Object arguments =
          JsonParts.arguments(place + ".function.arguments", function.get("arguments"));
      calls.add(conversation.call(id, name, arguments));
    }
    return calls;
  }
}

package roll.dialect.responses;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.openai.dialect.ChatModel;
import roll.openai.dialect.StoredConversations;
import roll.openai.request.ApiException;
import roll.openai.request.ChatMessages;
import roll.openai.request.ConversationBuilder;
import roll.openai.request.JsonParts;
import roll.openai.request.MessageContent;
import roll.openai.request.RequestFields;
import roll.text.call.ThinkTags;

/**
 * Reads the items of a request. Neighboring items of the assistant, its thought, text and calls,
 * are one message.
 */
final class ItemReader {
  private final ConversationBuilder conversation;
  private final StoredConversations stored;
  private final List<Map<String, Object>> calls = new ArrayList<>();
  private final Set<String> referenced = new HashSet<>();

  /** Text of the assistant's current message; null between its messages. */
  private @Nullable StringBuilder said;

  private ItemReader(ConversationBuilder conversation, StoredConversations stored) {
    this.conversation = conversation;
    this.stored = stored;
  }

  /**
   * Returns the conversation of {@code before} and the input in {@code fields}.
   *
   * @throws ApiException if an item is invalid or not supported
   */
  static ChatMessages read(
      RequestFields fields, ChatMessages before, List<?> tools, ChatModel model)
      throws InterruptedException {
    ConversationBuilder conversation =
        new ConversationBuilder(
            model.pictures(), fields.text(ResponsesRequest.INSTRUCTIONS), before);
    ItemReader reader = new ItemReader(conversation, model.conversations());
    JsonElement input = fields.get("input");
    if (input instanceof JsonPrimitive) {
      conversation.add("user", conversation.content().text(JsonParts.text("input", input)));
      return conversation.build(tools);
    }
    JsonArray items = JsonParts.list("input", input);
    if (items.isEmpty()) {
      throw ApiException.invalid("input", "expected a text or at least one item");
    }
    if (items.size() > model.longest()) {
      throw ApiException.tooMany("input", items.size(), model.longest());
    }
    for (int i = 0; i < items.size(); i++) {
      String where = "input[" + i + "]";
      reader.add(where, JsonParts.object(where, items.get(i)));
    }
    reader.flush();
    return conversation.build(tools);
  }

  private void add(String where, JsonObject item) throws InterruptedException {
    boolean reference = item.has("id") && !item.has("role");
    String type =
        JsonParts.missing(item.get("type"))
            ? reference ? "item_reference" : "message"
            : JsonParts.text(where, item, "type");
    switch (type) {
      case "message" -> message(where, item);
      case "reasoning" -> {
        flush();
        said().append(ThinkTags.around(thought(where, item)));
      }
      case "function_call" -> {
        var unused = said();
        calls.add(
            conversation.call(
                JsonParts.text(where, item, "call_id"),
                JsonParts.text(where, item, "name"),
                JsonParts.arguments(where + ".arguments", item.get("arguments"))));
      }
      case "function_call_output" -> {
        flush();
        String id = JsonParts.text(where, item, "call_id");
        MessageContent output = content(where + ".output", item.get("output"));
        conversation.result(where, "call_id", id, output);
      }
      case "item_reference" -> add(where, item(where, JsonParts.text(where, item, "id")));
      default ->
          throw ApiException.invalid(
              where + ".type", "this server does not read items of type " + type);
    }
  }

  /**
   * Returns the item {@code id} of an earlier response. Items are referenced once, so that a short
   * request does not become a long conversation.
   */
  private JsonObject item(String where, String id) {
    if (!referenced.add(id)) {
      throw ApiException.invalid(where, "the item with id '" + id + "' is referenced twice");
    }
    JsonObject item = stored.item(id);
    if (item == null) {
      throw new ApiException(
          404, "invalid_request_error", "Item with id '" + id + "' not found.", "input", null);
    }
    return item;
  }

  private void message(String where, JsonObject item) throws InterruptedException {
    String role = JsonParts.text(where, item, "role");
    String place = where + ".content";
    switch (role) {
      case "user", "system", "developer" -> {
        flush();
        MessageContent content = content(place, item.get("content"));
        conversation.add(role.equals("developer") ? "system" : role, content);
      }
      case "assistant" -> said().append(text(place, item.get("content")));
      default ->
          throw ApiException.invalid(
              where + ".role", "expected user, system, developer or assistant, found " + role);
    }
  }

  /** Returns the assistant's current message; begins one if there is none. */
  private StringBuilder said() {
    StringBuilder current = said == null ? new StringBuilder() : said;
    said = current;
    return current;
  }

  private void flush() {
    if (said != null) {
      conversation.assistant(conversation.content().text(said.toString()), calls);
      said = null;
      calls.clear();
    }
  }

  private MessageContent content(String where, @Nullable JsonElement json)
      throws InterruptedException {
    MessageContent content = conversation.content();
    if (json instanceof JsonPrimitive) {
      return content.text(JsonParts.text(where, json));
    }
    JsonArray parts = JsonParts.list(where, json);
    for (int i = 0; i < parts.size(); i++) {
      String place = where + "[" + i + "]";
      JsonObject part = JsonParts.object(place, parts.get(i));
      switch (JsonParts.text(place, part, "type")) {
        case "input_text", "output_text", "text" ->
            content.text(JsonParts.text(place, part, "text"));
        case "input_image" -> {
          content.expectPicture(place);
          content.picture(place + ".image_url", JsonParts.text(place, part, "image_url"));
        }
        default ->
            throw ApiException.invalid(
                place + ".type", "this server reads input_text and input_image only");
      }
    }
    return content;
  }

  /** Returns the text of the assistant, whose parts follow each other directly. */
  private static String text(String where, @Nullable JsonElement json) {
    if (json instanceof JsonPrimitive) {
      return JsonParts.text(where, json);
    }
    JsonArray parts = JsonParts.list(where, json);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < parts.size(); i++) {
      String place = where + "[" + i + "]";
      text.append(JsonParts.text(place, JsonParts.object(place, parts.get(i)), "text"));
    }
    return text.toString();
  }

  /** Returns the thought of a reasoning item: its content, or what clients send back unread. */
  private static String thought(String where, JsonObject item) {
    if (item.get("content") instanceof JsonArray content && !content.isEmpty()) {
      return text(where + ".content", content);
    }
    String place = where + ".encrypted_content";
    if (JsonParts.missing(item.get("encrypted_content"))) {
      throw ApiException.invalid(place, "expected the content of the reasoning item");
    }
    try {
      String encoded = JsonParts.text(where, item, "encrypted_content");
      return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw ApiException.invalid(place, "it was not written by this server");
    }
  }
}

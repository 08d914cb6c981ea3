package roll.dialect.messages;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.openai.dialect.ChatModel;
import roll.openai.request.ApiException;
import roll.openai.request.ChatMessages;
import roll.openai.request.ConversationBuilder;
import roll.openai.request.JsonParts;
import roll.openai.request.MessageContent;
import roll.openai.request.RequestFields;
import roll.text.call.ThinkTags;

/** Reads the system prompt and the messages of a request. */
final class ContentReader {
  private final ConversationBuilder conversation;

  private ContentReader(ConversationBuilder conversation) {
    this.conversation = conversation;
  }

  /**
   * Returns the conversation in {@code fields} with {@code tools}.
   *
   * @throws ApiException if it is invalid or does not end with the user
   */
  static ChatMessages read(RequestFields fields, List<?> tools, ChatModel model)
      throws InterruptedException {
    JsonArray list = JsonParts.list("messages", fields.get("messages"));
    if (list.isEmpty()) {
      throw ApiException.wrong("messages", "messages: at least one message is required");
    }
    if (list.size() > model.longest()) {
      throw ApiException.tooMany("messages", list.size(), model.longest());
    }
    ConversationBuilder conversation = new ConversationBuilder(model.pictures());
    ContentReader reader = new ContentReader(conversation);
    if (fields.has("system")) {
      conversation.add("system", reader.texts("system", fields.get("system")));
    }
    String role = "";
    for (int i = 0; i < list.size(); i++) {
      role = reader.message("messages." + i, JsonParts.object("messages." + i, list.get(i)));
    }
    if (role.equals("assistant")) {
      throw ApiException.wrong(
          "messages",
          "This model does not support assistant message prefill. The conversation must end with a"
              + " user message.");
    }
    return conversation.build(tools);
  }

  private String message(String where, JsonObject message) throws InterruptedException {
    String role = JsonParts.text(where, message, "role");
    JsonElement content = message.get("content");
    switch (role) {
      case "user" -> user(where + ".content", content);
      case "assistant" -> assistant(where + ".content", content);
      case "system" -> conversation.add(role, texts(where + ".content", content));
      default ->
          throw ApiException.invalid(
              where + ".role", "expected user, assistant or system, found " + role);
    }
    return role;
  }

  /** Adds results of tools, and what the user says between them as messages. */
  private void user(String where, JsonElement json) throws InterruptedException {
    JsonArray blocks = blocks(where, json);
    if (blocks.isEmpty()) {
      throw ApiException.invalid(where, "expected at least one block");
    }
    MessageContent said = conversation.content();
    for (int i = 0; i < blocks.size(); i++) {
      String place = where + "." + i;
      JsonObject block = JsonParts.object(place, blocks.get(i));
      if (!JsonParts.text(place, block, "type").equals("tool_result")) {
        shown(place, block, said);
        continue;
      }
      if (!said.isEmpty()) {
        conversation.add("user", said);
        said = conversation.content();
      }
      result(place, block);
    }
    if (!said.isEmpty()) {
      conversation.add("user", said);
    }
  }

  private void result(String where, JsonObject block) throws InterruptedException {
    String id = JsonParts.text(where, block, "tool_use_id");
    MessageContent content = conversation.content();
    if (!JsonParts.missing(block.get("content"))) {
      JsonArray blocks = blocks(where + ".content", block.get("content"));
      for (int i = 0; i < blocks.size(); i++) {
        String place = where + ".content." + i;
        shown(place, JsonParts.object(place, blocks.get(i)), content);
      }
    }
    conversation.result(where, "tool_use_id", id, content);
  }

  /** Adds a text or a picture to {@code content}. */
  private static void shown(String where, JsonObject block, MessageContent content)
      throws InterruptedException {
    String type = JsonParts.text(where, block, "type");
    switch (type) {
      case "text" -> content.text(JsonParts.text(where, block, "text"));
      case "image" -> {
        content.expectPicture(where);
        String place = where + ".source";
        JsonObject source = JsonParts.object(place, block.get("source"));
        content.picture(place, url(place, source));
      }
      default ->
          throw ApiException.invalid(
              where + ".type", "this server does not read blocks of type " + type + " here");
    }
  }

  private static String url(String where, JsonObject source) {
    String type = JsonParts.text(where, source, "type");
    return switch (type) {
      case "base64" ->
          "data:%s;base64,%s"
              .formatted(
                  JsonParts.text(where, source, "media_type"),
                  JsonParts.text(where, source, "data"));
      case "url" -> JsonParts.text(where, source, "url");
      default ->
          throw ApiException.invalid(where + ".type", "expected base64 or url, found " + type);
    };
  }

  private void assistant(String where, JsonElement json) {
    JsonArray blocks = blocks(where, json);
    StringBuilder text = new StringBuilder();
    List<Map<String, Object>> calls = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      String place = where + "." + i;
      JsonObject block = JsonParts.object(place, blocks.get(i));
      String type = JsonParts.text(place, block, "type");
      switch (type) {
        case "text" -> text.append(JsonParts.text(place, block, "text"));
        case "thinking" -> text.append(ThinkTags.around(JsonParts.text(place, block, "thinking")));
        case "tool_use" ->
            calls.add(
                conversation.call(
                    JsonParts.text(place, block, "id"),
                    JsonParts.text(place, block, "name"),
                    RequestFields.plain(JsonParts.object(place + ".input", block.get("input")))));
        default ->
            throw ApiException.invalid(
                place + ".type", "this server does not read blocks of type " + type + " here");
      }
    }
    conversation.assistant(conversation.content().text(text.toString()), calls);
  }

  /** Returns the blocks of {@code json}, a list or a text. */
  private static JsonArray blocks(String where, @Nullable JsonElement json) {
    if (!(json instanceof JsonPrimitive)) {
      return JsonParts.list(where, json);
    }
    JsonObject block = new JsonObject();
    block.addProperty("type", "text");
    block.addProperty("text", JsonParts.text(where, json));
    JsonArray blocks = new JsonArray();
    blocks.add(block);
    return blocks;
  }

  private MessageContent texts(String where, @Nullable JsonElement json) {
    MessageContent content = conversation.content();
    JsonArray blocks = blocks(where, json);
    for (int i = 0; i < blocks.size(); i++) {
      String place = where + "." + i;
      JsonObject block = JsonParts.object(place, blocks.get(i));
      if (!JsonParts.text(place, block, "type").equals("text")) {
        throw ApiException.invalid(place + ".type", "expected text");
      }
      content.text(JsonParts.text(place, block, "text"));
    }
    return content;
  }
}

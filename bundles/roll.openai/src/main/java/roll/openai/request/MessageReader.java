package roll.openai.request;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import roll.runtime.serving.PictureSettings;

/**
 * Reads the messages of a request into the form of chat templates: content is text, or a list of
 * parts where there is a picture; the arguments of a call are an object; a tool's result has the
 * name of its tool.
 */
final class MessageReader {
  private final List<Map<String, Object>> messages = new ArrayList<>();

  /** Names of called tools by the id of the call. */
  private final Map<String, String> called = new HashMap<>();

  private final RequestPictures pictures;

  private MessageReader(RequestPictures pictures) {
    this.pictures = pictures;
  }

  /**
   * Returns the messages in {@code fields}, at most {@code longest}, since each has at least one
   * token.
   *
   * @param pictures receives the pictures of the messages
   */
  static List<Map<String, Object>> read(RequestFields fields, int longest, RequestPictures pictures)
      throws InterruptedException {
    if (!(fields.get("messages") instanceof JsonArray list) || list.isEmpty()) {
      throw fields.wrong("messages", "a list of at least one message");
    }
    if (list.size() > longest) {
      throw ApiException.tooMany("messages", list.size(), longest);
    }
    MessageReader conversation = new MessageReader(pictures);
    for (int i = 0; i < list.size(); i++) {
      conversation.add("messages[" + i + "]", list.get(i));
    }
    return conversation.messages;
  }

  /**
   * Returns one message in the form of {@link #read}.
   *
   * @throws ApiException if it is not a message
   */
  static Map<String, Object> one(JsonObject message) throws InterruptedException {
    MessageReader conversation = new MessageReader(new RequestPictures(PictureSettings.NONE));
    conversation.add("message", message);
    return conversation.messages.getFirst();
  }

  private void add(String where, JsonElement json) throws InterruptedException {
    if (!(json instanceof JsonObject message)) {
      throw ApiException.invalid(where, "expected an object");
    }
    String role = text(where + ".role", message.get("role"));
    Map<String, Object> entry = new LinkedHashMap<>();
    switch (role) {
      case "system", "user" -> entry.put("role", role);
      case "developer" -> entry.put("role", "system");
      case "assistant" -> {
        entry.put("role", role);
        JsonElement calls = message.get("tool_calls");
        if (calls != null && !calls.isJsonNull() && !none(calls)) {
          entry.put("tool_calls", calls(where + ".tool_calls", calls));
        }
      }
      case "tool" -> {
        entry.put("role", role);
        String id = text(where + ".tool_call_id", message.get("tool_call_id"));
        String name = called.get(id);
        if (name == null) {
          throw ApiException.invalid(
              where, "a message of a tool must follow the call with its tool_call_id");
        }
        entry.put("tool_call_id", id);
        entry.put("name", name);
      }
      default ->
          throw ApiException.invalid(
              where + ".role",
              "expected system, developer, user, assistant or tool, found " + role);
    }
    boolean optional = entry.containsKey("tool_calls");
    Object content = content(where + ".content", message.get("content"), optional);
    if (content instanceof List<?> && role.equals("assistant")) {
      throw ApiException.invalid(where + ".content", "the assistant shows no pictures");
    }
    entry.put("content", content);
    messages.add(entry);
  }

  /**
   * Returns a text, or the texts of a list of parts joined by line breaks; a list of parts if one
   * is a picture.
   */
  private Object content(String where, JsonElement content, boolean optional)
      throws InterruptedException {
    if (content == null || content.isJsonNull()) {
      if (optional) {
        return "";
      }
      throw ApiException.invalid(where, "expected a text or a list of parts, found nothing");
    }
    if (!(content instanceof JsonArray parts)) {
      return pictures.guarded(text(where, content));
    }
    StringJoiner texts = new StringJoiner("\n");
    List<Map<String, String>> shown = new ArrayList<>();
    boolean seen = false;
    for (int i = 0; i < parts.size(); i++) {
      String place = where + "[" + i + "]";
      if (!(parts.get(i) instanceof JsonObject part)) {
        throw ApiException.invalid(place, "expected a part with a type");
      }
      String type = text(place + ".type", part.get("type"));
      switch (type) {
        case "text" -> {
          String text = pictures.guarded(text(place + ".text", part.get("text")));
          texts.add(text);
          shown.add(Map.of("type", type, "text", text));
        }
        case "image_url" -> {
          pictures.add(place, part);
          shown.add(Map.of("type", "image"));
          seen = true;
        }
        default ->
            throw ApiException.invalid(
                place, "this server reads parts of type text and image_url only");
      }
    }
    return seen ? shown : texts.toString();
  }

  private List<Map<String, Object>> calls(String where, JsonElement json) {
    if (!(json instanceof JsonArray list)) {
      throw ApiException.invalid(where, "expected a list");
    }
    List<Map<String, Object>> calls = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      String place = where + "[" + i + "]";
      if (!(list.get(i) instanceof JsonObject call)
          || !(call.get("function") instanceof JsonObject function)) {
        throw ApiException.invalid(place, "expected a call with id, type and function");
      }
      String id = text(place + ".id", call.get("id"));
      String name = text(place + ".function.name", function.get("name"));
      called.put(id, name);
      Map<String, Object> called = new LinkedHashMap<>();
      called.put("name", name);
      called.put("arguments", arguments(place + ".function.arguments", function));
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("id", id);
      entry.put("type", "function");
      entry.put("function", called);
      calls.add(entry);
    }
    return calls;
  }

  private static Object arguments(String where, JsonObject function) {
    JsonElement given = function.get("arguments");
    if (given instanceof JsonObject object) {
      return RequestFields.plain(object); // the form of chat templates
    }
    String text = given == null || given.isJsonNull() ? "" : text(where, given);
    try {
      JsonElement json = RequestJson.read(text.isBlank() ? "{}" : text, Strictness.LENIENT);
      if (json.isJsonObject()) {
        return RequestFields.plain(json);
      }
    } catch (RequestJson.Problem e) {
      // refused below
    }
    throw ApiException.invalid(where, "expected a JSON object written as text");
  }

  /** Returns whether {@code calls} is empty; some clients always send the field. */
  private static boolean none(JsonElement calls) {
    return calls instanceof JsonArray list && list.isEmpty();
  }

  private static String text(String where, JsonElement json) {
    if (json instanceof JsonPrimitive primitive && primitive.isString()) {
      return primitive.getAsString();
    }
    throw ApiException.invalid(where, "expected a text");
  }
}

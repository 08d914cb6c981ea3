package roll.dialect.responses;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import roll.openai.answer.Delta;
import roll.openai.answer.ResponseHeader;

/** An item of the output while it is written: a message or a reasoning item. */
final class OutputItem {
  private final boolean reasoning;
  private final String id;
  private final StringBuilder text = new StringBuilder();

  OutputItem(boolean reasoning) {
    this.reasoning = reasoning;
    this.id = ResponseHeader.id(reasoning ? "rs_" : "msg_", 32);
  }

  boolean reasoning() {
    return reasoning;
  }

  String id() {
    return id;
  }

  void append(String more) {
    text.append(more);
  }

  String text() {
    return text.toString();
  }

  /** Returns the prefix of the events of its text. */
  String events() {
    return reasoning ? "response.reasoning_text" : "response.output_text";
  }

  /** Returns its part of content with {@code said}. */
  JsonObject part(String said) {
    JsonObject part = new JsonObject();
    part.addProperty("type", reasoning ? "reasoning_text" : "output_text");
    if (!reasoning) {
      part.add("annotations", new JsonArray());
      part.add("logprobs", new JsonArray());
    }
    part.addProperty("text", said);
    return part;
  }

  /**
   * Returns its JSON.
   *
   * @param encrypted whether a reasoning item has the content that clients send back unread
   */
  JsonObject json(String status, boolean encrypted) {
    boolean begun = status.equals("in_progress");
    JsonArray content = new JsonArray();
    if (!begun) {
      content.add(part(text()));
    }
    JsonObject item = new JsonObject();
    item.addProperty("id", id);
    item.addProperty("type", reasoning ? "reasoning" : "message");
    item.addProperty("status", status);
    if (reasoning) {
      item.add("summary", new JsonArray());
      item.add("encrypted_content", JsonNull.INSTANCE);
      if (encrypted && !begun) {
        byte[] bytes = text().getBytes(StandardCharsets.UTF_8);
        item.addProperty("encrypted_content", Base64.getEncoder().encodeToString(bytes));
      }
    } else {
      item.addProperty("role", "assistant");
    }
    item.add("content", content);
    return item;
  }

  /** Returns the item of a call of a function; null arguments are not written yet. */
  static JsonObject call(
      String id, String callId, Delta.Call call, @Nullable String arguments, String status) {
    JsonObject item = new JsonObject();
    item.addProperty("id", id);
    item.addProperty("type", "function_call");
    item.addProperty("status", status);
    item.addProperty("arguments", arguments == null ? "" : arguments);
    item.addProperty("call_id", callId);
    item.addProperty("name", call.name());
    return item;
  }
}

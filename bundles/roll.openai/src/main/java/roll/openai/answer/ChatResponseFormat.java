package roll.openai.answer;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats {@code chat.completion} and {@code chat.completion.chunk} objects. */
public final class ChatResponseFormat implements ResponseFormat {
  private final ResponseHeader head;
  private final boolean usage;
  private final Map<Integer, Integer> calls = new HashMap<>();

  /**
   * Creates the formatter of the {@code chat.completion} objects for one request.
   *
   * @param usage whether a stream ends with the token usage
   */
  public ChatResponseFormat(String model, boolean usage) {
    this.head = ResponseHeader.of("chatcmpl-", model);
    this.usage = usage;
  }

  @Override
  public List<JsonObject> opening(int choices) {
    List<JsonObject> parts = new ArrayList<>();
    for (int i = 0; i < choices; i++) {
      JsonObject delta = new JsonObject();
      delta.addProperty("role", "assistant");
      delta.addProperty("content", "");
      parts.add(part(i, delta, null, null));
    }
    return parts;
  }

  @Override
  public JsonObject chunk(int choice, Delta piece, @Nullable JsonObject logProbs) {
    JsonObject delta = new JsonObject();
    switch (piece) {
      case Delta.Text text -> delta.addProperty("content", text.text());
      case Delta.Call call -> {
        int index = calls.merge(choice, 1, Integer::sum) - 1;
        JsonObject entry = new JsonObject();
        entry.addProperty("index", index);
        call(entry, call);
        JsonArray list = new JsonArray();
        list.add(entry);
        delta.add("tool_calls", list);
      }
    }
    return part(choice, delta, logProbs, null);
  }

  @Override
  public JsonObject end(int choice, String reason, @Nullable JsonObject logProbs) {
    return part(choice, new JsonObject(), logProbs, reason);
  }

  private JsonObject part(
      int choice, JsonObject delta, @Nullable JsonObject logProbs, @Nullable String reason) {
    JsonObject entry = new JsonObject();
    entry.addProperty("index", choice);
    entry.add("delta", delta);
    entry.add("logprobs", logProbs);
    entry.addProperty("finish_reason", reason);
    JsonArray choices = new JsonArray();
    choices.add(entry);
    return head.chunk("chat.completion.chunk", choices, usage ? JsonNull.INSTANCE : null);
  }

  @Override
  public JsonObject used(JsonObject used) {
    return head.chunk("chat.completion.chunk", new JsonArray(), used);
  }

  @Override
  public JsonObject choice(
      int choice, List<Delta> pieces, String reason, @Nullable JsonObject logProbs) {
    JsonObject entry = new JsonObject();
    entry.addProperty("index", choice);
    entry.add("message", message(pieces));
    entry.add("logprobs", logProbs);
    entry.addProperty("finish_reason", reason);
    return entry;
  }

  /** Returns the assistant's message that consists of {@code pieces}. */
  static JsonObject message(List<Delta> pieces) {
    StringBuilder said = new StringBuilder();
    JsonArray list = new JsonArray();
    for (Delta piece : pieces) {
      switch (piece) {
        case Delta.Text text -> said.append(text.text());
        case Delta.Call call -> {
          JsonObject entry = new JsonObject();
          call(entry, call);
          list.add(entry);
        }
      }
    }
    JsonObject message = new JsonObject();
    message.addProperty("role", "assistant");
    message.addProperty("content", said.isEmpty() && !list.isEmpty() ? null : said.toString());
    message.add("refusal", JsonNull.INSTANCE);
    if (!list.isEmpty()) {
      message.add("tool_calls", list);
    }
    return message;
  }

  private static void call(JsonObject entry, Delta.Call call) {
    entry.addProperty("id", ResponseHeader.id("call_", 24));
    entry.addProperty("type", "function");
    JsonObject function = new JsonObject();
    function.addProperty("name", call.name());
    function.addProperty("arguments", call.arguments());
    entry.add("function", function);
  }

  @Override
  public JsonObject logProbs(List<ScoredToken> tokens) {
    JsonArray content = new JsonArray();
    for (ScoredToken token : tokens) {
      JsonObject entry = new JsonObject();
      entry.addProperty("token", token.text());
      entry.addProperty("logprob", token.logProb());
      JsonArray bytes = new JsonArray();
      for (byte one : token.text().getBytes(StandardCharsets.UTF_8)) {
        bytes.add(one & 0xFF);
      }
      entry.add("bytes", bytes);
      entry.add("top_logprobs", new JsonArray());
      content.add(entry);
    }
    JsonObject json = new JsonObject();
    json.add("content", content);
    json.add("refusal", JsonNull.INSTANCE);
    return json;
  }

  @Override
  public JsonObject whole(JsonArray choices, JsonObject used) {
    return head.chunk("chat.completion", choices, used);
  }
}

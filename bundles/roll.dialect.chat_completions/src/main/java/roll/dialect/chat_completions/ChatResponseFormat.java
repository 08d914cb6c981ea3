package roll.dialect.chat_completions;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.openai.answer.Choice;
import roll.openai.answer.Delta;
import roll.openai.answer.Ending;
import roll.openai.answer.ResponseFormat;
import roll.openai.answer.ResponseHeader;
import roll.openai.answer.ScoredToken;
import roll.openai.answer.StreamEvent;
import roll.openai.answer.TokenUsage;
import roll.openai.request.ApiException;

/** Formats {@code chat.completion} and {@code chat.completion.chunk} objects. */
final class ChatResponseFormat implements ResponseFormat {
  private static final String CHUNK = "chat.completion.chunk";

  private final ResponseHeader head;
  private final boolean usage;
  private final Map<Integer, Integer> calls = new HashMap<>();

  /**
   * Creates the formatter of the {@code chat.completion} objects for one request.
   *
   * @param usage whether a stream ends with the token usage
   */
  ChatResponseFormat(String model, boolean usage) {
    this.head = ResponseHeader.of("chatcmpl-", model);
    this.usage = usage;
  }

  /** Thoughts are text in their tags, as models write them. */
  @Override
  public boolean thoughts() {
    return false;
  }

  @Override
  public List<StreamEvent> opening(int choices, int promptTokens) {
    List<StreamEvent> parts = new ArrayList<>();
    for (int i = 0; i < choices; i++) {
      JsonObject delta = new JsonObject();
      delta.addProperty("role", "assistant");
      delta.addProperty("content", "");
      parts.addAll(part(i, delta, null, null));
    }
    return parts;
  }

  @Override
  public List<StreamEvent> chunk(int choice, Delta piece, @Nullable List<ScoredToken> logProbs) {
    JsonObject delta = new JsonObject();
    switch (piece) {
      case Delta.Text text -> delta.addProperty("content", text.text());
      case Delta.Thought thought -> delta.addProperty("content", thought.text());
      case Delta.Call call -> {
        JsonObject entry = new JsonObject();
        entry.addProperty("index", calls.merge(choice, 1, Integer::sum) - 1);
        call(entry, call);
        JsonArray list = new JsonArray();
        list.add(entry);
        delta.add("tool_calls", list);
      }
    }
    return part(choice, delta, logProbs, null);
  }

  @Override
  public List<StreamEvent> end(int choice, Ending ending, @Nullable List<ScoredToken> logProbs) {
    return part(choice, new JsonObject(), logProbs, reason(ending));
  }

  private static String reason(Ending ending) {
    return ending.reason() == Ending.Reason.CALLS
        ? "tool_calls"
        : ending.reason().name().toLowerCase(Locale.ROOT);
  }

  private List<StreamEvent> part(
      int choice, JsonObject delta, @Nullable List<ScoredToken> logProbs, @Nullable String reason) {
    JsonObject entry = new JsonObject();
    entry.addProperty("index", choice);
    entry.add("delta", delta);
    entry.add("logprobs", logProbs == null ? JsonNull.INSTANCE : logProbs(logProbs));
    entry.addProperty("finish_reason", reason);
    JsonArray choices = new JsonArray();
    choices.add(entry);
    return List.of(StreamEvent.of(head.chunk(CHUNK, choices, usage ? JsonNull.INSTANCE : null)));
  }

  @Override
  public List<StreamEvent> closing(TokenUsage used) {
    return usage
        ? List.of(
            StreamEvent.of(head.chunk(CHUNK, new JsonArray(), ResponseHeader.usage(used))),
            StreamEvent.DONE)
        : List.of(StreamEvent.DONE);
  }

  @Override
  public List<StreamEvent> failed(ApiException failure) {
    return List.of(StreamEvent.of(failure.json()));
  }

  @Override
  public JsonObject whole(List<Choice> choices, TokenUsage used) {
    JsonArray entries = new JsonArray();
    for (Choice choice : choices) {
      JsonObject entry = new JsonObject();
      entry.addProperty("index", entries.size());
      entry.add("message", message(choice.pieces()));
      List<ScoredToken> logProbs = choice.logProbs();
      entry.add("logprobs", logProbs == null ? JsonNull.INSTANCE : logProbs(logProbs));
      entry.addProperty("finish_reason", reason(choice.ending()));
      entries.add(entry);
    }
    return head.chunk("chat.completion", entries, ResponseHeader.usage(used));
  }

  /** Returns the assistant's message that consists of {@code pieces}. */
  private static JsonObject message(List<Delta> pieces) {
    StringBuilder said = new StringBuilder();
    JsonArray list = new JsonArray();
    for (Delta piece : pieces) {
      switch (piece) {
        case Delta.Text text -> said.append(text.text());
        case Delta.Thought thought -> said.append(thought.text());
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

  private static JsonObject logProbs(List<ScoredToken> tokens) {
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
}

package roll.dialect.messages;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

/** Formats {@code message} objects and the events of their streams. */
final class MessageFormat implements ResponseFormat {
  /** The signature of thoughts; clients send it back, and it is not checked. */
  private static final String SIGNATURE = "roll";

  private final ResponseHeader head;
  private int index = -1;

  /** The type of the open block; empty if none is open. */
  private String open = "";

  private @Nullable Ending ending;

  MessageFormat(String model) {
    this.head = ResponseHeader.of("msg_", model);
  }

  @Override
  public boolean thoughts() {
    return true;
  }

  @Override
  public String filler() {
    return StreamEvent.typed(typed("ping")).text();
  }

  @Override
  public List<StreamEvent> opening(int choices, int promptTokens) {
    JsonObject event = typed("message_start");
    event.add("message", message(new JsonArray(), null, usage(promptTokens, 0)));
    return List.of(StreamEvent.typed(event));
  }

  @Override
  public List<StreamEvent> chunk(int choice, Delta piece, @Nullable List<ScoredToken> logProbs) {
    List<StreamEvent> events = new ArrayList<>();
    switch (piece) {
      case Delta.Text text -> {
        begin(events, "text", text(""));
        delta(events, "text_delta", "text", text.text());
      }
      case Delta.Thought thought -> {
        begin(events, "thinking", thinking("", ""));
        if (!thought.text().isEmpty()) {
          delta(events, "thinking_delta", "thinking", thought.text());
        }
      }
      case Delta.Call call -> {
        close(events);
        begin(events, "tool_use", call(call.name(), new JsonObject()));
        delta(events, "input_json_delta", "partial_json", call.arguments());
        close(events);
      }
    }
    return events;
  }

  /** Begins a block unless one of this type is open. */
  private void begin(List<StreamEvent> events, String type, JsonObject block) {
    if (open.equals(type)) {
      return;
    }
    close(events);
    open = type;
    index++;
    JsonObject event = indexed("content_block_start");
    event.add("content_block", block);
    events.add(StreamEvent.typed(event));
  }

  private void delta(List<StreamEvent> events, String type, String name, String text) {
    JsonObject delta = typed(type);
    delta.addProperty(name, text);
    JsonObject event = indexed("content_block_delta");
    event.add("delta", delta);
    events.add(StreamEvent.typed(event));
  }

  private void close(List<StreamEvent> events) {
    if (open.isEmpty()) {
      return;
    }
    if (open.equals("thinking")) {
      delta(events, "signature_delta", "signature", SIGNATURE);
    }
    open = "";
    events.add(StreamEvent.typed(indexed("content_block_stop")));
  }

  @Override
  public List<StreamEvent> end(int choice, Ending end, @Nullable List<ScoredToken> logProbs) {
    ending = end;
    List<StreamEvent> events = new ArrayList<>();
    close(events);
    return events;
  }

  @Override
  public List<StreamEvent> closing(TokenUsage used) {
    JsonObject delta = new JsonObject();
    stop(delta, Objects.requireNonNull(ending));
    JsonObject event = typed("message_delta");
    event.add("delta", delta);
    event.add("usage", usage(used.prompt(), used.written()));
    return List.of(StreamEvent.typed(event), StreamEvent.typed(typed("message_stop")));
  }

  @Override
  public List<StreamEvent> failed(ApiException failure) {
    return List.of(StreamEvent.typed(Messages.failure(failure)));
  }

  @Override
  public JsonObject whole(List<Choice> choices, TokenUsage used) {
    Choice choice = choices.getFirst();
    return message(blocks(choice.pieces()), choice.ending(), usage(used.prompt(), used.written()));
  }

  /** Returns the blocks of {@code pieces}; neighbors of the same type are one. */
  private static JsonArray blocks(List<Delta> pieces) {
    JsonArray blocks = new JsonArray();
    StringBuilder text = new StringBuilder();
    @Nullable StringBuilder thought = null;
    for (Delta piece : pieces) {
      if (piece instanceof Delta.Thought part) {
        thought = thought == null ? new StringBuilder() : thought;
        thought.append(part.text());
        continue;
      }
      if (thought != null) {
        blocks.add(thinking(thought.toString(), SIGNATURE));
        thought = null;
      }
      if (piece instanceof Delta.Text part) {
        text.append(part.text());
      } else if (piece instanceof Delta.Call call) {
        say(blocks, text);
        JsonObject input = JsonParser.parseString(call.arguments()).getAsJsonObject();
        blocks.add(call(call.name(), input));
      }
    }
    if (thought != null) {
      blocks.add(thinking(thought.toString(), SIGNATURE));
    }
    say(blocks, text);
    return blocks;
  }

  private static void say(JsonArray blocks, StringBuilder text) {
    if (!text.isEmpty()) {
      blocks.add(text(text.toString()));
      text.setLength(0);
    }
  }

  private JsonObject message(JsonArray content, @Nullable Ending end, JsonObject usage) {
    JsonObject message = new JsonObject();
    message.addProperty("id", head.id());
    message.addProperty("type", "message");
    message.addProperty("role", "assistant");
    message.addProperty("model", head.model());
    message.add("content", content);
    stop(message, end);
    message.add("usage", usage);
    return message;
  }

  private static void stop(JsonObject json, @Nullable Ending end) {
    json.addProperty("stop_reason", end == null ? null : reason(end));
    json.addProperty(
        "stop_sequence",
        end != null && reason(end).equals("stop_sequence") ? end.stopString() : null);
  }

  private static String reason(Ending end) {
    return switch (end.reason()) {
      case CALLS -> "tool_use";
      case LENGTH -> "max_tokens";
      case STOP -> end.stopString() == null ? "end_turn" : "stop_sequence";
    };
  }

  private static JsonObject usage(int prompt, int written) {
    JsonObject usage = new JsonObject();
    usage.addProperty("input_tokens", prompt);
    usage.addProperty("cache_creation_input_tokens", 0);
    usage.addProperty("cache_read_input_tokens", 0);
    usage.add("cache_creation", JsonNull.INSTANCE);
    usage.addProperty("output_tokens", written);
    usage.add("server_tool_use", JsonNull.INSTANCE);
    usage.addProperty("service_tier", "standard");
    return usage;
  }

  private static JsonObject text(String text) {
    JsonObject block = typed("text");
    block.addProperty("text", text);
    return block;
  }

  private static JsonObject thinking(String thought, String signature) {
    JsonObject block = typed("thinking");
    block.addProperty("thinking", thought);
    block.addProperty("signature", signature);
    return block;
  }

  private static JsonObject call(String name, JsonObject input) {
    JsonObject block = typed("tool_use");
    block.addProperty("id", ResponseHeader.id("toolu_", 24));
    block.addProperty("name", name);
    block.add("input", input);
    return block;
  }

  private JsonObject indexed(String type) {
    JsonObject event = typed(type);
    event.addProperty("index", index);
    return event;
  }

  private static JsonObject typed(String type) {
    JsonObject json = new JsonObject();
    json.addProperty("type", type);
    return json;
  }
}

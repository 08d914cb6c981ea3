package roll.dialect.responses;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.openai.answer.AssistantReply;
import roll.openai.answer.Choice;
import roll.openai.answer.Delta;
import roll.openai.answer.Ending;
import roll.openai.answer.ResponseFormat;
import roll.openai.answer.ResponseHeader;
import roll.openai.answer.ScoredToken;
import roll.openai.answer.StreamEvent;
import roll.openai.answer.TokenUsage;
import roll.openai.request.ApiException;
import roll.openai.request.ChatMessages;
import roll.text.call.ThinkTags;

/** Formats {@code response} objects and the events of their streams. */
final class ItemFormat implements ResponseFormat {
  private final ResponseObject response;
  private final boolean encrypted;
  private final BiConsumer<Map<String, Object>, JsonObject> store;
  private final JsonArray output = new JsonArray();
  private final StringBuilder said = new StringBuilder();
  private final List<Map<String, Object>> calls = new ArrayList<>();
  private @Nullable OutputItem open;
  private int sequence;
  private boolean whole = true;

  /**
   * Creates the formatter of {@code response}.
   *
   * @param encrypted whether reasoning items have the content that clients send back unread
   * @param store receives the assistant's message and the complete response
   */
  ItemFormat(
      ResponseObject response,
      boolean encrypted,
      BiConsumer<Map<String, Object>, JsonObject> store) {
    this.response = response;
    this.encrypted = encrypted;
    this.store = store;
  }

  @Override
  public boolean thoughts() {
    return true;
  }

  @Override
  public List<StreamEvent> opening(int choices, int promptTokens) {
    List<StreamEvent> events = new ArrayList<>();
    for (String type : List.of("response.created", "response.in_progress")) {
      add(events, type, event -> event.add("response", response.begun()));
    }
    return events;
  }

  @Override
  public List<StreamEvent> chunk(int choice, Delta piece, @Nullable List<ScoredToken> logProbs) {
    List<StreamEvent> events = new ArrayList<>();
    switch (piece) {
      case Delta.Text text -> say(events, false, text.text());
      case Delta.Thought thought -> say(events, true, thought.text());
      case Delta.Call call -> call(events, call);
    }
    return events;
  }

  private void say(List<StreamEvent> events, boolean reasoning, String text) {
    OutputItem item = open;
    if (item == null || item.reasoning() != reasoning) {
      close(events, "completed");
      OutputItem begun = new OutputItem(reasoning);
      open = begun;
      item = begun;
      item(events, "response.output_item.added", begun.json("in_progress", encrypted));
      text(events, "response.content_part.added", begun, begun.part(""));
    }
    if (!text.isEmpty()) {
      item.append(text);
      OutputItem told = item;
      add(
          events,
          told.events() + ".delta",
          event -> {
            place(event, told);
            event.addProperty("delta", text);
            if (!reasoning) {
              event.add("logprobs", new JsonArray());
            }
          });
    }
  }

  private void close(List<StreamEvent> events, String status) {
    OutputItem item = open;
    if (item == null) {
      return;
    }
    open = null;
    said.append(item.reasoning() ? ThinkTags.around(item.text()) : item.text());
    add(
        events,
        item.events() + ".done",
        event -> {
          place(event, item);
          event.addProperty("text", item.text());
          if (!item.reasoning()) {
            event.add("logprobs", new JsonArray());
          }
        });
    text(events, "response.content_part.done", item, item.part(item.text()));
    JsonObject json = item.json(status, encrypted);
    item(events, "response.output_item.done", json);
    output.add(json);
  }

  private void call(List<StreamEvent> events, Delta.Call call) {
    close(events, "completed");
    String id = ResponseHeader.id("fc_", 32);
    String callId = ResponseHeader.id("call_", 24);
    calls.add(AssistantReply.call(callId, call));
    item(
        events,
        "response.output_item.added",
        OutputItem.call(id, callId, call, null, "in_progress"));
    String type = "response.function_call_arguments";
    add(
        events,
        type + ".delta",
        event -> {
          place(event, id);
          event.addProperty("delta", call.arguments());
        });
    add(
        events,
        type + ".done",
        event -> {
          place(event, id);
          event.addProperty("name", call.name());
          event.addProperty("arguments", call.arguments());
        });
    JsonObject json = OutputItem.call(id, callId, call, call.arguments(), "completed");
    item(events, "response.output_item.done", json);
    output.add(json);
  }

  @Override
  public List<StreamEvent> end(int choice, Ending ending, @Nullable List<ScoredToken> logProbs) {
    List<StreamEvent> events = new ArrayList<>();
    whole = ending.reason() != Ending.Reason.LENGTH;
    if (output.isEmpty() && open == null) {
      say(events, false, "");
    }
    close(events, whole ? "completed" : "incomplete");
    return events;
  }

  @Override
  public List<StreamEvent> closing(TokenUsage used) {
    List<StreamEvent> events = new ArrayList<>();
    add(
        events,
        whole ? "response.completed" : "response.incomplete",
        event -> event.add("response", ended(used)));
    return events;
  }

  private JsonObject ended(TokenUsage used) {
    JsonObject json = response.ended(whole, output, used);
    store.accept(ChatMessages.assistant(said.toString(), calls), json);
    return json;
  }

  @Override
  public List<StreamEvent> failed(ApiException failure) {
    List<StreamEvent> events = new ArrayList<>();
    add(
        events,
        "response.failed",
        event -> event.add("response", response.failed(output, failure.getMessage())));
    return events;
  }

  @Override
  public JsonObject whole(List<Choice> choices, TokenUsage used) {
    for (Delta piece : choices.getFirst().pieces()) {
      var unused = chunk(0, piece, null);
    }
    var unused = end(0, choices.getFirst().ending(), null);
    return ended(used);
  }

  private void text(List<StreamEvent> events, String type, OutputItem item, JsonObject part) {
    add(
        events,
        type,
        event -> {
          place(event, item);
          event.add("part", part);
        });
  }

  private void item(List<StreamEvent> events, String type, JsonObject json) {
    add(
        events,
        type,
        event -> {
          event.addProperty("output_index", output.size());
          event.add("item", json);
        });
  }

  private void place(JsonObject event, OutputItem item) {
    place(event, item.id());
    event.addProperty("content_index", 0);
  }

  private void place(JsonObject event, String id) {
    event.addProperty("item_id", id);
    event.addProperty("output_index", output.size());
  }

  private void add(List<StreamEvent> events, String type, Consumer<JsonObject> filled) {
    JsonObject event = new JsonObject();
    event.addProperty("type", type);
    event.addProperty("sequence_number", sequence++);
    filled.accept(event);
    events.add(StreamEvent.typed(event));
  }
}

package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.api.strategy.TokenListener;

/** The events of streams, in the order of the protocols. */
class StreamEventsTest extends ClientTestBase {
  private static final String MESSAGE =
      """
      {"model":"tiny","max_tokens":300,"stream":true,"messages":[{"role":"user","content":"hi"}],
       "tools":[{"name":"weather","input_schema":{}}]}
      """;
  private static final String RESPONSE =
      """
      {"model":"tiny","stream":true,"input":"hi",
       "tools":[{"type":"function","name":"weather","parameters":{}}]}
      """;

  /** Returns the data of the events in {@code body}, whose names are their types. */
  private static List<JsonObject> events(String body) {
    List<JsonObject> events = new ArrayList<>();
    for (String event : body.strip().split("\n\n", -1)) {
      String[] lines = event.split("\n", 2);
      JsonObject data = json(lines[1].substring("data: ".length()));
      assertEquals("event: " + data.get("type").getAsString(), lines[0]);
      events.add(data);
    }
    return events;
  }

  /** Returns the types of {@code events}; successive deltas are one. */
  private static List<String> types(List<JsonObject> events) {
    List<String> types = new ArrayList<>();
    for (JsonObject event : events) {
      String type = event.get("type").getAsString();
      if (event.get("delta") instanceof JsonObject delta && delta.has("type")) {
        type = delta.get("type").getAsString();
      }
      if (types.isEmpty() || !types.getLast().equals(type)) {
        types.add(type);
      }
    }
    return types;
  }

  @Test
  void blocksOfAMessageBeginAndStop() {
    List<JsonObject> events = events(client().post("/v1/messages", MESSAGE).body());
    assertEquals(
        List.of(
            "message_start",
            "content_block_start",
            "thinking_delta",
            "signature_delta",
            "content_block_stop",
            "content_block_start",
            "text_delta",
            "content_block_stop",
            "content_block_start",
            "input_json_delta",
            "content_block_stop",
            "content_block_start",
            "input_json_delta",
            "content_block_stop",
            "message_delta",
            "message_stop"),
        types(events));
    assertEquals(
        List.of(0, 1, 2, 3),
        events.stream()
            .filter(event -> event.get("type").getAsString().equals("content_block_stop"))
            .map(event -> event.get("index").getAsInt())
            .toList());
  }

  @Test
  void itemsOfAResponseAreAddedAndDone() {
    List<JsonObject> events = events(client().post("/v1/responses", RESPONSE).body());
    List<String> call =
        List.of(
            "response.output_item.added",
            "response.function_call_arguments.delta",
            "response.function_call_arguments.done",
            "response.output_item.done");
    List<String> expected = new ArrayList<>(List.of("response.created", "response.in_progress"));
    for (String text : List.of("response.reasoning_text", "response.output_text")) {
      expected.addAll(
          List.of(
              "response.output_item.added",
              "response.content_part.added",
              text + ".delta",
              text + ".done",
              "response.content_part.done",
              "response.output_item.done"));
    }
    expected.addAll(call);
    expected.addAll(call);
    expected.add("response.completed");
    assertEquals(expected, types(events));
    for (int i = 0; i < events.size(); i++) {
      assertEquals(i, events.get(i).get("sequence_number").getAsInt());
    }
  }

  /** A model that fails after its first token. */
  private static final class FailingGenerator implements Generator {
    @Override
    public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
      return CompletableFuture.failedFuture(new IllegalStateException("x"));
    }

    @Override
    public CompletableFuture<List<Generation>> generate(
        List<GenerationRequest> requests, TokenListener listener) {
      listener.sampled(0, 'a', -1);
      return generate(requests);
    }
  }

  @Test
  void aStreamThatFailsEndsWithAnError() {
    OpenAiClient failing = client(new FailingGenerator(), null, 4);
    String message = failing.post("/v1/messages", MESSAGE).body();
    assertTrue(
        message.contains(
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\""),
        message);
    String response = failing.post("/v1/responses", RESPONSE).body();
    assertTrue(response.contains("event: response.failed\n"), response);
    assertTrue(response.contains("\"error\":{\"code\":\"server_error\""), response);
  }
}

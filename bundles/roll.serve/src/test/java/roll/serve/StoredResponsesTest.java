package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.http.StreamResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.NotFoundException;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.responses.EasyInputMessage;
import com.openai.models.responses.FunctionTool;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ResponseOutputItem;
import com.openai.models.responses.ResponseStreamEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Responses that are read, continued by their items and forgotten, with OpenAI's client. */
class StoredResponsesTest extends ClientTestBase {
  private OpenAIClient client;

  @BeforeEach
  void connect() {
    client =
        OpenAIOkHttpClient.builder()
            .baseUrl(address("") + "/v1")
            .apiKey("none")
            .maxRetries(0)
            .build();
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  private static ResponseCreateParams.Builder asked() {
    ResponseCreateParams.Builder asked =
        ResponseCreateParams.builder().model("tiny").instructions("Be brief.");
    for (String name : List.of("weather", "now")) {
      asked.addTool(
          FunctionTool.builder()
              .name(name)
              .parameters(FunctionTool.Parameters.builder().build())
              .strict(false)
              .build());
    }
    return asked;
  }

  private static ResponseInputItem user(String text) {
    return ResponseInputItem.ofEasyInputMessage(
        EasyInputMessage.builder().role(EasyInputMessage.Role.USER).content(text).build());
  }

  private static ResponseInputItem reference(String id) {
    return ResponseInputItem.ofItemReference(
        ResponseInputItem.ItemReference.builder().id(id).build());
  }

  private static String id(ResponseOutputItem item) {
    return item.message()
        .map(said -> said.id())
        .or(() -> item.reasoning().map(thought -> thought.id()))
        .or(() -> item.functionCall().map(call -> call.id().orElseThrow()))
        .orElseThrow();
  }

  private static List<ResponseInputItem> referencesWithResults(Response response) {
    List<ResponseInputItem> items = new ArrayList<>(List.of(user("hi")));
    response.output().forEach(item -> items.add(reference(id(item))));
    List<String> results = new ArrayList<>(List.of("sun", "noon"));
    for (ResponseOutputItem item : response.output()) {
      item.functionCall()
          .ifPresent(
              call ->
                  items.add(
                      ResponseInputItem.ofFunctionCallOutput(
                          ResponseInputItem.FunctionCallOutput.builder()
                              .callId(call.callId())
                              .output(results.removeFirst())
                              .build())));
    }
    return items;
  }

  @Test
  void referencesContinueAResponseAsItsItemsDo() {
    Response first = client.responses().create(asked().input("hi").build());
    var unused =
        client.responses().create(asked().inputOfResponse(referencesWithResults(first)).build());
    assertEquals(CONTINUED, prompt());
  }

  @Test
  void aStoredResponseIsReadAndForgotten() {
    ResponseAccumulator all = ResponseAccumulator.create();
    try (StreamResponse<ResponseStreamEvent> stream =
        client.responses().createStreaming(asked().input("hi").build())) {
      stream.stream().forEach(all::accumulate);
    }
    Response whole = client.responses().create(asked().input("hi").build());
    for (Response sent : List.of(whole, all.response())) {
      assertEquals(sent, client.responses().retrieve(sent.id()).validate());
      client.responses().delete(sent.id());
      assertUnknown(sent.id());
      assertThrows(NotFoundException.class, () -> client.responses().delete(sent.id()));
      assertThrows(
          BadRequestException.class,
          () ->
              client
                  .responses()
                  .create(asked().input("more").previousResponseId(sent.id()).build()));
      assertThrows(
          NotFoundException.class,
          () ->
              client
                  .responses()
                  .create(asked().inputOfResponse(referencesWithResults(sent)).build()));
    }
  }

  private void assertUnknown(String id) {
    NotFoundException unknown =
        assertThrows(NotFoundException.class, () -> client.responses().retrieve(id));
    assertTrue(unknown.getMessage().contains("'" + id + "' not found"), unknown.getMessage());
    assertEquals("invalid_request_error", unknown.type().orElseThrow());
  }

  @Test
  void whatIsNotStoredIsUnknown() {
    assertUnknown(client.responses().create(asked().input("hi").store(false).build()).id());
    assertUnknown("resp_0");
    String message = "msg_0";
    NotFoundException unknown =
        assertThrows(
            NotFoundException.class,
            () ->
                client
                    .responses()
                    .create(asked().inputOfResponse(List.of(reference(message))).build()));
    assertEquals("input", unknown.param().orElseThrow());
  }

  /** A short request must not become a long conversation. */
  @Test
  void anItemIsReferencedOnce() {
    ResponseInputItem item =
        reference(id(client.responses().create(asked().input("hi").build()).output().getFirst()));
    BadRequestException refused =
        assertThrows(
            BadRequestException.class,
            () ->
                client
                    .responses()
                    .create(asked().inputOfResponse(List.of(item, user("hi"), item)).build()));
    assertTrue(refused.getMessage().contains("twice"), refused.getMessage());
  }

  @Test
  void otherMethodsAndQueriesAreRefused() {
    OpenAiClient raw = client();
    String id = client.responses().create(asked().input("hi").build()).id();
    assertEquals(405, raw.post("/v1/responses/" + id, "{}").statusCode());
    assertEquals(400, raw.get("/v1/responses/" + id + "?stream=true").statusCode());
    assertEquals(404, raw.get("/v1/messages/" + id).statusCode());
    assertTrue(raw.get("/v1/messages/" + id).body().contains("\"type\":\"not_found_error\""));
    assertEquals(404, raw.get("/v1/chat/completions/" + id).statusCode());
  }
}

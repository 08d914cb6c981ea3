package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.http.StreamResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.NotFoundException;
import com.openai.errors.UnauthorizedException;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.FunctionDefinition;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionMessage;
import com.openai.models.responses.EasyInputMessage;
import com.openai.models.responses.FunctionTool;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseIncludable;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ResponseOutputItem;
import com.openai.models.responses.ResponseStatus;
import com.openai.models.responses.ResponseStreamEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import roll.testkit.Utf8Tokenizer;

/** OpenAI's own client for Java decodes what was sampled. */
class OpenAiJavaTest extends ClientTestBase {
  private static OpenAIClient client(String address, String key) {
    return OpenAIOkHttpClient.builder().baseUrl(address + "/v1").apiKey(key).maxRetries(0).build();
  }

  private static ResponseCreateParams.Builder asked() {
    return ResponseCreateParams.builder()
        .model("tiny")
        .instructions("Be brief.")
        .addTool(tool("weather"))
        .addTool(tool("now"));
  }

  private static FunctionTool tool(String name) {
    return FunctionTool.builder()
        .name(name)
        .parameters(FunctionTool.Parameters.builder().build())
        .strict(false)
        .build();
  }

  private static List<String> decoded(Response response) {
    List<String> decoded = new ArrayList<>();
    for (ResponseOutputItem item : response.output()) {
      item.reasoning()
          .ifPresent(
              thought ->
                  decoded.add("thought " + thought.content().orElseThrow().getFirst().text()));
      item.message()
          .ifPresent(
              said -> decoded.add("text " + said.content().getFirst().asOutputText().text()));
      item.functionCall().ifPresent(call -> decoded.add(call.name() + " " + call.arguments()));
    }
    return decoded;
  }

  @Test
  void aResponseAndAStreamAreDecodedAlike() {
    OpenAIClient client = client(address(""), "none");
    Response whole = client.responses().create(asked().input("hi").build()).validate();
    assertEquals(DECODED, decoded(whole));
    assertEquals(ResponseStatus.COMPLETED, whole.status().orElseThrow());
    int written = new Utf8Tokenizer().encode(ANSWER).length + 1;
    assertEquals(written, whole.usage().orElseThrow().outputTokens());
    assertEquals(model.asked.getLast().prompt().length, whole.usage().orElseThrow().inputTokens());
    assertTrue(whole.usage().orElseThrow().outputTokensDetails().reasoningTokens() > 0);
    ResponseAccumulator all = ResponseAccumulator.createWithSnapshots();
    try (StreamResponse<ResponseStreamEvent> stream =
        client.responses().createStreaming(asked().input("hi").build())) {
      stream.stream().forEach(event -> all.accumulate(event.validate()));
    }
    assertEquals(DECODED, decoded(all.response()));
    assertEquals(DECODED, decoded(all.reconstructedResponse()));
    client.close();
  }

  private static List<ResponseInputItem> results(Response response) {
    List<String> results = new ArrayList<>(List.of("sun", "noon"));
    return response.output().stream()
        .flatMap(item -> item.functionCall().stream())
        .map(
            call ->
                ResponseInputItem.ofFunctionCallOutput(
                    ResponseInputItem.FunctionCallOutput.builder()
                        .callId(call.callId())
                        .output(results.removeFirst())
                        .build()))
        .toList();
  }

  @Test
  void anIdAndTheItemsContinueAResponseAlike() {
    OpenAIClient client = client(address(""), "none");
    Response first =
        client
            .responses()
            .create(
                asked()
                    .input("hi")
                    .addInclude(ResponseIncludable.REASONING_ENCRYPTED_CONTENT)
                    .build());
    var unused =
        client
            .responses()
            .create(asked().previousResponseId(first.id()).inputOfResponse(results(first)).build());
    assertEquals(CONTINUED, prompt());
    List<ResponseInputItem> items = new ArrayList<>();
    items.add(
        ResponseInputItem.ofEasyInputMessage(
            EasyInputMessage.builder().role(EasyInputMessage.Role.USER).content("hi").build()));
    for (ResponseOutputItem item : first.output()) {
      // some agents send the encrypted content of a thought only
      item.reasoning()
          .map(thought -> thought.toBuilder().content(List.of()).build())
          .ifPresent(thought -> items.add(ResponseInputItem.ofReasoning(thought)));
      item.message().ifPresent(said -> items.add(ResponseInputItem.ofResponseOutputMessage(said)));
      item.functionCall().ifPresent(call -> items.add(ResponseInputItem.ofFunctionCall(call)));
    }
    items.addAll(results(first));
    unused = client.responses().create(asked().inputOfResponse(items).build());
    assertEquals(CONTINUED, prompt());
    client.close();
  }

  @Test
  void aResponseThatIsNotStoredIsNotContinued() {
    OpenAIClient client = client(address(""), "none");
    String unstored = client.responses().create(asked().input("hi").store(false).build()).id();
    for (String id : List.of(unstored, "resp_0")) {
      BadRequestException refused =
          assertThrows(
              BadRequestException.class,
              () ->
                  client.responses().create(asked().previousResponseId(id).input("more").build()));
      assertEquals("previous_response_not_found", refused.code().orElseThrow());
      assertEquals("previous_response_id", refused.param().orElseThrow());
    }
    client.close();
  }

  @Test
  void aResponseCutByItsLengthIsIncomplete() {
    OpenAIClient client = client(address(""), "none");
    model.text = "one two";
    Response cut = client.responses().create(asked().input("hi").maxOutputTokens(16).build());
    assertEquals(ResponseStatus.COMPLETED, cut.status().orElseThrow());
    model.text = "one two three four five";
    cut = client.responses().create(asked().input("hi").maxOutputTokens(16).build());
    assertEquals(ResponseStatus.INCOMPLETE, cut.status().orElseThrow());
    assertEquals(
        Response.IncompleteDetails.Reason.MAX_OUTPUT_TOKENS,
        cut.incompleteDetails().orElseThrow().reason().orElseThrow());
    assertEquals(List.of("text one two three fo"), decoded(cut));
    client.close();
  }

  @Test
  void aCompletionAndAStreamAreDecodedAlike() {
    OpenAIClient client = client(address(""), "none");
    ChatCompletionCreateParams asked =
        ChatCompletionCreateParams.builder()
            .model("tiny")
            .addFunctionTool(FunctionDefinition.builder().name("weather").build())
            .addUserMessage("hi")
            .build();
    ChatCompletion whole = client.chat().completions().create(asked).validate();
    ChatCompletionAccumulator all = ChatCompletionAccumulator.create();
    try (StreamResponse<ChatCompletionChunk> stream =
        client.chat().completions().createStreaming(asked)) {
      stream.stream().forEach(event -> all.accumulate(event.validate()));
    }
    for (ChatCompletion completion : List.of(whole, all.chatCompletion())) {
      ChatCompletionMessage message = completion.choices().getFirst().message();
      assertEquals("<think>" + THOUGHT + "</think>" + SAID, message.content().orElseThrow());
      assertEquals(
          List.of(CITY, "{}"),
          message.toolCalls().orElseThrow().stream()
              .map(call -> call.asFunction().function().arguments())
              .toList());
    }
    client.close();
  }

  @Test
  void refusalsHaveTheirForm() {
    OpenAIClient client = client(address("sk-right"), "sk-right");
    BadRequestException refused =
        assertThrows(
            BadRequestException.class,
            () -> client.responses().create(asked().input("hi").temperature(-1.0).build()));
    assertEquals("temperature", refused.param().orElseThrow());
    assertThrows(
        NotFoundException.class,
        () -> client.responses().create(asked().input("hi").model("big").build()));
    client.close();
    OpenAIClient wrong = client(address("sk-right"), "sk-wrong");
    assertThrows(
        UnauthorizedException.class, () -> wrong.responses().create(asked().input("hi").build()));
    assertTrue(model.asked.isEmpty());
    wrong.close();
  }
}

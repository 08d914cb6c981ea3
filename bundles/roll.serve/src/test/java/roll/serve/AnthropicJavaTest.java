package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.core.JsonValue;
import com.anthropic.core.http.StreamResponse;
import com.anthropic.errors.AnthropicServiceException;
import com.anthropic.errors.BadRequestException;
import com.anthropic.errors.NotFoundException;
import com.anthropic.errors.UnauthorizedException;
import com.anthropic.helpers.MessageAccumulator;
import com.anthropic.models.messages.ContentBlock;
import com.anthropic.models.messages.ContentBlockParam;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCountTokensParams;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.RawMessageStreamEvent;
import com.anthropic.models.messages.StopReason;
import com.anthropic.models.messages.Tool;
import com.anthropic.models.messages.ToolResultBlockParam;
import com.anthropic.models.messages.ToolUseBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import roll.testkit.Utf8Tokenizer;

/** Anthropic's own client for Java decodes what was sampled. */
class AnthropicJavaTest extends ClientTestBase {
  private static AnthropicClient client(String address, String key) {
    return AnthropicOkHttpClient.builder().baseUrl(address).apiKey(key).maxRetries(0).build();
  }

  private static void use(AnthropicClient client, Consumer<AnthropicClient> test) {
    try {
      test.accept(client);
    } finally {
      client.close();
    }
  }

  private static MessageCreateParams.Builder asked() {
    return MessageCreateParams.builder()
        .model("tiny")
        .maxTokens(300)
        .system("Be brief.")
        .addTool(tool("weather"))
        .addTool(tool("now"))
        .addUserMessage("hi");
  }

  private static Tool tool(String name) {
    return Tool.builder()
        .name(name)
        .inputSchema(Tool.InputSchema.builder().type(JsonValue.from("object")).build())
        .build();
  }

  private static List<String> decoded(Message message) {
    List<String> decoded = new ArrayList<>();
    for (ContentBlock block : message.content()) {
      block.thinking().ifPresent(thought -> decoded.add("thought " + thought.thinking()));
      block.text().ifPresent(text -> decoded.add("text " + text.text()));
      block.toolUse().ifPresent(call -> decoded.add(call.name() + " " + input(call)));
    }
    return decoded;
  }

  private static String input(ToolUseBlock call) {
    Map<?, ?> input = call._input().convert(Map.class);
    return input.get("n") instanceof Number n
        ? "{\"city\":\"%s\",\"n\":%.2f}".formatted(input.get("city"), n.doubleValue())
        : "{}";
  }

  @Test
  void anAnswerAndAStreamAreDecodedAlike() {
    use(
        client(address(""), "none"),
        client -> {
          Message whole = client.messages().create(asked().build()).validate();
          assertEquals(DECODED, decoded(whole));
          assertEquals(StopReason.TOOL_USE, whole.stopReason().orElseThrow());
          assertEquals(model.asked.getLast().prompt().length, whole.usage().inputTokens());
          int written = new Utf8Tokenizer().encode(ANSWER).length + 1;
          assertEquals(written, whole.usage().outputTokens());
          MessageAccumulator all = MessageAccumulator.create();
          try (StreamResponse<RawMessageStreamEvent> stream =
              client.messages().createStreaming(asked().build())) {
            stream.stream().forEach(event -> all.accumulate(event.validate()));
          }
          assertEquals(DECODED, decoded(all.message()));
          assertEquals(whole.stopReason(), all.message().stopReason());
          assertEquals(written, all.message().usage().outputTokens());
        });
  }

  @Test
  void resultsContinueTheAnswer() {
    use(
        client(address(""), "none"),
        client -> {
          Message first = client.messages().create(asked().build());
          List<String> results = new ArrayList<>(List.of("sun", "noon"));
          List<ContentBlockParam> blocks =
              first.content().stream()
                  .flatMap(block -> block.toolUse().stream())
                  .map(
                      call ->
                          ContentBlockParam.ofToolResult(
                              ToolResultBlockParam.builder()
                                  .toolUseId(call.id())
                                  .content(results.removeFirst())
                                  .build()))
                  .toList();
          var unused =
              client
                  .messages()
                  .create(
                      asked().addMessage(first).addUserMessageOfContentBlockParams(blocks).build());
          assertEquals(CONTINUED, prompt());
        });
  }

  @Test
  void reasonsOfTheEndAreTold() {
    use(
        client(address(""), "none"),
        client -> {
          model.text = "one. two";
          Message whole = client.messages().create(asked().build());
          assertEquals(StopReason.END_TURN, whole.stopReason().orElseThrow());
          Message cut = client.messages().create(asked().maxTokens(3).build());
          assertEquals(StopReason.MAX_TOKENS, cut.stopReason().orElseThrow());
          assertEquals(List.of("text one"), decoded(cut));
          Message stopped = client.messages().create(asked().addStopSequence(".").build());
          assertEquals(StopReason.STOP_SEQUENCE, stopped.stopReason().orElseThrow());
          assertEquals(".", stopped.stopSequence().orElseThrow());
          assertEquals(List.of("text one"), decoded(stopped));
        });
  }

  @Test
  void tokensAreCounted() {
    use(
        client(address(""), "none"),
        client -> {
          long tokens =
              client
                  .messages()
                  .countTokens(
                      MessageCountTokensParams.builder().model("tiny").addUserMessage("hi").build())
                  .inputTokens();
          assertEquals("user: hi\n".length(), tokens);
          assertTrue(model.asked.isEmpty());
        });
  }

  @Test
  void refusalsHaveTheirForm() {
    use(
        client(address("sk-right"), "sk-right"),
        client -> {
          BadRequestException refused =
              assertThrows(
                  BadRequestException.class,
                  () ->
                      client
                          .messages()
                          .create(
                              asked()
                                  .putAdditionalBodyProperty("temperature", JsonValue.from(-1))
                                  .build()));
          assertTrue(refused.getMessage().contains("temperature"), refused.getMessage());
          assertEquals("invalid_request_error", type(refused));
          NotFoundException unknown =
              assertThrows(
                  NotFoundException.class,
                  () -> client.messages().create(asked().model("big").build()));
          assertEquals("not_found_error", type(unknown));
        });
    use(
        client(address("sk-right"), "sk-wrong"),
        client -> {
          UnauthorizedException refused =
              assertThrows(
                  UnauthorizedException.class, () -> client.messages().create(asked().build()));
          assertEquals("authentication_error", type(refused));
        });
    assertTrue(model.asked.isEmpty());
  }

  private static String type(AnthropicServiceException refusal) {
    Map<?, ?> body = refusal.body().convert(Map.class);
    assertEquals("error", body.get("type"));
    return String.valueOf(((Map<?, ?>) body.get("error")).get("type"));
  }
}

package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.option.UserException;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.runtime.serving.ListenSettings;
import roll.runtime.serving.ServedModel;
import roll.testkit.Utf8Tokenizer;

/** Refused, delayed and abandoned requests. */
class ServerRefusalsTest extends ServerTestBase {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "presence_penalty | 0.5 | \"presence_penalty\"",
        "frequency_penalty | 1 | \"frequency_penalty\"",
        "logit_bias | {\"1\":\"2\"} | \"logit_bias\"",
        "temperature | -1 | \"temperature\"",
        "temperature | \"hot\" | \"temperature\"",
        "top_p | 0 | \"top_p\"",
        "n | 0 | \"n\"",
        "n | 129 | \"n\"",
        "max_tokens | 0 | \"max_tokens\"",
        "max_tokens | 1.5 | \"max_tokens\"",
        "stop | [\"\"] | \"stop\"",
        "stop | 7 | \"stop\"",
        "seed | \"x\" | \"seed\"",
        "stream | 1 | \"stream\"",
        "stream_options | {} | \"stream_options\"",
        "response_format | {\"type\":\"xml\"} | \"response_format.type\"",
        "structured_outputs | {\"regex\":\"a\",\"json\":{}} | \"structured_outputs\"",
        "structured_outputs | {\"choice\":[]} | \"structured_outputs.choice\"",
        "structured_outputs | {\"regex\":7} | \"structured_outputs.regex\"",
        "response_format | {\"type\":\"json_schema\"} | \"response_format\"",
        "tool_choice | \"required\" | \"tool_choice\"",
        "tool_choice | {\"type\":\"function\"} | \"tool_choice.function\"",
        "parallel_tool_calls | 0 | \"parallel_tool_calls\"",
        "stop_token_ids | [-1] | \"stop_token_ids\"",
        "stop_token_ids | [1000000] | \"stop_token_ids\"",
        "stop_token_ids | [1.5] | \"stop_token_ids\"",
        "stop_token_ids | [\"a\"] | \"stop_token_ids\"",
        "stop_token_ids | [[1]] | \"stop_token_ids\"",
        "tools | [{}] | \"tools\"",
        "tools | 7 | \"tools\"",
        "top_logprobs | 3 | \"top_logprobs\"",
        "messages | [] | \"messages\"",
        "messages | [1] | \"messages[0]\"",
        "messages | [{\"role\":\"king\",\"content\":\"a\"}] | \"messages[0].role\"",
        "messages | [{\"role\":\"user\"}] | \"messages[0].content\"",
        "messages | [{\"role\":\"user\",\"content\":[{\"type\":\"image_url\"}]}]"
            + " | \"messages[0].content[0]\"",
        "messages | [{\"role\":\"tool\",\"tool_call_id\":\"x\",\"content\":\"a\"}] |"
            + " \"messages[0]\"",
        "temprature | 1 | \"temprature\"",
        "model | null | \"model\"",
      })
  void whatIsWrongIsNamed(String key, String value, String parameter) {
    JsonObject body = json(body(""));
    body.add(key, JsonParser.parseString(value));
    HttpResponse<String> response = client().post(CHAT, body.toString());
    assertEquals(400, response.statusCode(), response.body());
    JsonObject error = json(response.body()).getAsJsonObject("error");
    assertEquals(
        List.of("message", "type", "param", "code"), List.copyOf(error.keySet()), response.body());
    assertEquals(parameter, error.get("param").toString());
    assertEquals("invalid_request_error", error.get("type").getAsString());
    assertTrue(model.asked.isEmpty());
  }

  private String error(int status, HttpResponse<String> response) {
    assertEquals(status, response.statusCode(), response.body());
    return json(response.body()).getAsJsonObject("error").get("code").toString();
  }

  @Test
  void mistakesHaveTheirStatus() {
    assertEquals("null", error(400, client().post(CHAT, "{\"model\":")));
    assertEquals("null", error(400, client().post(CHAT, "[]")));
    assertEquals("null", error(415, client().post(CHAT, body(""), "text/plain")));
    assertEquals(
        "\"model_not_found\"", error(404, client().post(CHAT, body("").replace("tiny", "big"))));
    assertEquals("\"unknown_url\"", error(404, client().get("/v1/embeddings")));
    assertEquals("\"method_not_supported\"", error(405, client().get(CHAT)));
    assertEquals(
        "\"context_length_exceeded\"",
        error(400, client().post(CHAT, body("").replace("hi", "hi".repeat(200)))));
    HttpResponse<String> refused = client().post(CHAT, body("").replace("hi", REFUSED));
    assertEquals("null", error(400, refused));
    assertTrue(
        refused.body().contains("Invalid 'messages': the tokenizer refuses 9 characters."),
        refused.body());
    String echo = "{\"model\":\"tiny\",\"prompt\":\"x\",\"echo\":true}";
    assertEquals("null", error(400, client().post(TEXT, echo)));
    String empty = "{\"model\":\"tiny\",\"prompt\":\"\"}";
    assertEquals("null", error(400, client().post(TEXT, empty)));
    String outside = "{\"model\":\"tiny\",\"prompt\":[257]}";
    assertEquals("null", error(400, client().post(TEXT, outside)));
    assertEquals("null", error(413, client().post(CHAT, " ".repeat((16 << 20) + 1))));
  }

  @Test
  void aFailureIsTheServers() {
    Generator failing = requests -> CompletableFuture.failedFuture(new IllegalStateException("x"));
    HttpResponse<String> response = client(failing, null, 1).post(CHAT, body(""));
    assertEquals(500, response.statusCode());
    assertFalse(response.body().contains("IllegalState"), response.body());
    // the slot is free again
    assertEquals(500, client().post(CHAT, body(",\"stream\":true")).statusCode());
  }

  @Test
  void theKeyIsAskedFor() {
    OpenAiClient right = client(model, "sk-right", 4);
    assertEquals(200, right.get("/v1/models").statusCode());
    int port = serving().address().getPort();
    for (String wrong : new String[] {null, "sk-righ", "sk-right2", ""}) {
      try (OpenAiClient other = new OpenAiClient(port, wrong)) {
        assertEquals("\"invalid_api_key\"", error(401, other.get("/v1/models")));
        assertEquals("\"invalid_api_key\"", error(401, other.post(CHAT, body(""))));
        assertEquals(200, other.get("/health").statusCode());
      }
    }
    assertTrue(model.asked.isEmpty());
  }

  @Test
  void otherMachinesNeedAKey() throws UnknownHostException {
    ServedModel served =
        new ServedModel("m", new Utf8Tokenizer(), model, null, List.of(), 9, false);
    ListenSettings open = new ListenSettings(InetAddress.getByName("0.0.0.0"), 0, null, 1);
    assertEquals(
        "host: 0.0.0.0 is open to other machines, which needs a key; without one only 127.0.0.1"
            + " is allowed",
        assertThrows(UserException.class, () -> AllDialects.server().start(served, open))
            .getMessage());
    ListenSettings guessed = new ListenSettings(InetAddress.getByName("0.0.0.0"), 0, "a", 1);
    assertEquals(
        "api-key: expected at least 16 characters where other machines may guess, found 1",
        assertThrows(UserException.class, () -> AllDialects.server().start(served, guessed))
            .getMessage());
    ListenSettings secret = new ListenSettings(guessed.host(), 0, "0123456789abcdef", 1);
    AllDialects.server().start(served, secret).close();
  }

  /** A model that never ends a response. */
  private static final class Endless implements Generator {
    final CountDownLatch begun = new CountDownLatch(1);
    final CompletableFuture<List<Generation>> result = new CompletableFuture<>();

    @Override
    public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
      begun.countDown();
      return result;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",\"stream\":true"})
  void aDisconnectCancels(String more) throws Exception {
    Endless endless = new Endless();
    OpenAiClient other = client(endless, null, 1);
    int port = serving().address().getPort();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      byte[] body = body(more).getBytes(StandardCharsets.UTF_8);
      OutputStream out = socket.getOutputStream();
      out.write(
          ("POST "
                  + CHAT
                  + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                  + "Content-Length: "
                  + body.length
                  + "\r\n\r\n")
              .getBytes(StandardCharsets.UTF_8));
      out.write(body);
      out.flush();
      endless.begun.await();
      HttpResponse<String> busy = other.post(CHAT, body(""));
      assertEquals("\"rate_limit_exceeded\"", error(429, busy));
      assertEquals("1", busy.headers().firstValue("Retry-After").orElse(""));
      assertFalse(endless.result.isDone());
    }
    assertThrows(CancellationException.class, () -> endless.result.get(1, TimeUnit.MINUTES));
  }

  @Test
  void closingGivesUpWhatIsUnderWay() throws InterruptedException {
    Endless endless = new Endless();
    OpenAiClient other = client(endless, null, 1);
    Thread asking =
        Thread.startVirtualThread(
            () -> assertThrows(IllegalStateException.class, () -> other.post(CHAT, body(""))));
    endless.begun.await();
    serving().close();
    assertTrue(endless.result.isCancelled());
    asking.join();
  }
}

package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.api.strategy.TokenListener;
import roll.testkit.RawHttpClient;
import roll.testkit.Utf8Tokenizer;

/** Malicious requests are refused, and the next client is served. */
@Tag("hostile")
class HostileTest extends ServerTestBase {
  private static final String NESTED = "[".repeat(100_000) + "]".repeat(100_000);

  private int port() {
    client();
    return serving().address().getPort();
  }

  private void assertAnswers() {
    assertEquals(200, client().post(CHAT, body("")).statusCode());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ",\"seed\":1e99999999999",
        ",\"seed\":1e2147483647",
        ",\"seed\":-1e-99999999999",
        ",\"n\":1e99999999999",
        ",\"max_tokens\":1e99999999999",
        ",\"top_k\":1e99999999999",
        ",\"temperature\":1e99999999999",
        ",\"temperature\":1e400",
        ",\"top_p\":1e400",
        ",\"seed\":NaN",
        ",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"x\":1e400}}]",
        ",\"chat_template_kwargs\":{\"x\":1e99999999999}",
        ",\"tool_choice\":7,\"tools\":[]",
        ",\"user\":\"\\ud800\"",
        ",\"stop\":\"\\udc00\"",
        ",\"model\":\"tiny\"",
      })
  void whatNoNumberOrTextMayBeIsRefused(String more) {
    HttpResponse<String> response = client().post(CHAT, body(more));
    assertEquals(400, response.statusCode(), response.body());
    assertTrue(model.asked.isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e99999999999", "1e400", "-1", "0.5", "2147483648"})
  void noTokenIsWrittenSo(String token) {
    String body = "{\"model\":\"tiny\",\"prompt\":[" + token + "]}";
    assertEquals(400, client().post(TEXT, body).statusCode());
  }

  @Test
  void deepJsonIsRefused() {
    assertEquals(400, client().post(CHAT, NESTED).statusCode());
    assertEquals(400, client().post(CHAT, body(",\"metadata\":" + NESTED)).statusCode());
    String arguments = "\"" + "{\\\"a\\\":".repeat(50_000) + "\"";
    String calls =
        "{\"model\":\"tiny\",\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"1\","
            + "\"function\":{\"name\":\"f\",\"arguments\":"
            + arguments
            + "}}]}]}";
    assertEquals(400, client().post(CHAT, calls).statusCode());
    assertAnswers();
  }

  /** A text that cannot fit never reaches the tokenizer, whose longest token has five bytes. */
  @Test
  void aTextLongerThanTheModelCanReadIsNotEncoded() {
    HttpResponse<String> response =
        client().post(CHAT, body("").replace("hi", "x".repeat(15 << 20)));
    assertEquals(400, response.statusCode());
    assertTrue(response.body().contains("context_length_exceeded"), response.body());
    String text = "{\"model\":\"tiny\",\"prompt\":\"" + "x".repeat(5 * 400 + 1) + "\"}";
    assertTrue(client().post(TEXT, text).body().contains("context_length_exceeded"));
    assertTrue(tokenizer.encoded().stream().allMatch(encoded -> encoded.length() < 100));
    assertAnswers();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host: evil.example",
        "Host: evil.example:80",
        "Host: 127.0.0.1.evil.example",
        "Host: 10.0.0.7",
        "Host: localhost\r\nOrigin: http://evil.example",
        "Host: localhost\r\nOrigin: null",
        "Host: localhost:1\r\nOrigin: http://localhost:2",
      })
  void otherSitesAreRefused(String headers) throws IOException {
    try (RawHttpClient other = new RawHttpClient(port())) {
      other.write("GET /v1/models HTTP/1.1\r\n" + headers + "\r\n\r\n");
      assertEquals(403, other.status());
    }
  }

  @Test
  void incompleteBodiesBlockNoOthers() throws IOException {
    int port = port();
    List<RawHttpClient> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 256; i++) {
        slow.add(new RawHttpClient(port).write(RawHttpClient.head(CHAT, 1000) + "{\"model\""));
      }
      for (int i = 0; i < 20; i++) {
        assertAnswers();
      }
    } finally {
      for (RawHttpClient one : slow) {
        one.close();
      }
    }
  }

  /** Samples tokens without end whose text may be part of a tool call and is held back. */
  private static final class EndlessCallGenerator implements Generator {
    final CompletableFuture<List<Generation>> result = new CompletableFuture<>();

    @Override
    public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
      return result;
    }

    @Override
    public CompletableFuture<List<Generation>> generate(
        List<GenerationRequest> requests, TokenListener listener) {
      for (int token : new Utf8Tokenizer().encode("<tool_call>")) {
        listener.sampled(0, token);
      }
      Thread.startVirtualThread(
          () -> {
            while (!result.isDone()) {
              listener.sampled(0, 'x');
              try {
                Thread.sleep(20);
              } catch (InterruptedException e) {
                return;
              }
            }
          });
      return result;
    }
  }

  @Test
  void aDisconnectWhileTextIsHeldBackCancels() throws Exception {
    EndlessCallGenerator babbling = new EndlessCallGenerator();
    client(babbling, null, 1);
    try (RawHttpClient leaving = new RawHttpClient(serving().address().getPort())) {
      leaving.write(RawHttpClient.request(CHAT, body(",\"stream\":true")));
      String line = leaving.line();
      while (!line.startsWith("data: ")) {
        line = leaving.line();
      }
    }
    assertThrows(CancellationException.class, () -> babbling.result.get(1, TimeUnit.MINUTES));
  }
}

package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.testkit.RawHttpClient;

/** Malicious requests to the real engine and the real tokenizer. */
@Tag("hostile")
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileToEngineTest {
  private static final String CHAT = "/v1/chat/completions";
  private static final int PLACES = 4;

  private TinyServer server;

  @BeforeAll
  void open() {
    server = new TinyServer(PLACES);
  }

  @AfterAll
  void close() {
    server.close();
  }

  private static String body(String text, String more) {
    return "{\"model\":\"lake\",\"max_tokens\":5,\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]%s}"
        .formatted(text, more);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"temperature\":1e-300",
        "\"temperature\":1e-40",
        "\"temperature\":1e-7",
        "\"temperature\":3e38",
        "\"temperature\":-0.0",
        "\"top_p\":1e-300",
        "\"top_p\":1e-40",
        "\"min_p\":1e-300",
        "\"min_p\":1",
        "\"repetition_penalty\":1e-300",
        "\"repetition_penalty\":1e-38",
        "\"repetition_penalty\":3e38",
        "\"repetition_penalty\":1e-20,\"temperature\":1e-20",
        "\"top_k\":2147483647",
        "\"n\":128",
        "\"seed\":-9223372036854775808",
        "\"stop\":\"\\u0000\"",
        "\"chat_template_kwargs\":{\"messages\":7,\"tools\":7,\"bos_token\":[],\"x\":{}}",
        "\"chat_template_kwargs\":{\"range\":7,\"loop\":7,\"\":1,\"a b\":1}",
        "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"\",\"parameters\":7}}]",
      })
  void extremesAreAnsweredOrRefused(String parameter) {
    HttpResponse<String> response = server.client.post(CHAT, body("at 3 4", "," + parameter));
    assertTrue(response.statusCode() == 200 || response.statusCode() == 400, response.body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\\u0000",
        "\\uffff\\ufffe",
        "\\u202e\\u0301",
        "<|im_end|><|im_start|>system",
        "{{ 7 }}",
        " "
      })
  void anyTextIsAnswered(String text) {
    assertEquals(200, server.client.post(CHAT, body(text.repeat(3), "")).statusCode());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", " ", "a b ", "\\n", "\\u4e2d", "<|im_end|>", "0"})
  void longTextsAreRefused(String piece) {
    HttpResponse<String> response =
        server.client.post(CHAT, body(piece.repeat(9_000_000 / piece.length()), ""));
    assertTrue(response.body().contains("context_length_exceeded"), response.body());
  }

  /** More clients disconnect than there are slots; their KV blocks and slots are freed. */
  @Test
  void aDisconnectFreesTheSlot() throws Exception {
    String body = body("at 3 4", ",\"stream\":true,\"n\":8").replace("\"max_tokens\":5,", "");
    for (int i = 0; i < 100; i++) {
      int status;
      do {
        try (RawHttpClient leaving = new RawHttpClient(server.port())) {
          status = leaving.write(RawHttpClient.request(CHAT, body)).status();
        }
      } while (status == 429); // until the disconnects are noticed
      assertEquals(200, status);
    }
    HttpResponse<String> honest;
    do {
      honest = server.client.post(CHAT, body("at 3 4", ""));
    } while (honest.statusCode() == 429);
    assertEquals(200, honest.statusCode());
  }
}

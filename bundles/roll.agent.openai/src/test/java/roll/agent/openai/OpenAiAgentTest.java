package roll.agent.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.data.Message;
import roll.api.image.Picture;
import roll.api.rollout.AgentTurn;
import roll.api.rollout.Player;
import roll.api.strategy.Sampling;
import roll.testkit.TestEpisodeView;
import roll.testkit.TestHttpServer;
import roll.testkit.TestOptions;

@NullMarked
@Timeout(60)
class OpenAiAgentTest {
  private static final String KEY = "sk-never-to-be-seen";

  private final OpenAiAgent agent = new OpenAiAgent();

  @AutoClose
  private final TestHttpServer served =
      new TestHttpServer("/v1/chat/completions", TestHttpServer.completion("done"));

  OpenAiAgentTest() throws IOException {}

  private String address() {
    return served.address() + "/v1";
  }

  private Player player(Map<String, Object> more) {
    Map<String, Object> options = new HashMap<>();
    options.put("base_url", address() + "/");
    options.put("model_name", "tiny");
    options.put("retry_delay", 0.001);
    options.putAll(more);
    return agent.configure(TestOptions.of("proxy_config", options, agent.options()));
  }

  private static AgentTurn turn() {
    return turn(new Message("user", "Wo? ü🐧"), new Message("user", "And now?"));
  }

  private static AgentTurn turn(Message earlier, Message newest) {
    List<Message> messages =
        List.of(
            new Message("system", "Be \"brief\"."),
            earlier,
            new Message("assistant", "<answer>Up</answer>"),
            newest);
    Sampling sampling =
        Sampling.of(77)
            .withTemperature(0.25)
            .withTopP(0.5)
            .withTopK(9)
            .withStopStrings(List.of("</answer>", "\n"));
    return new AgentTurn(messages, new TestEpisodeView(), sampling, -1, 1);
  }

  private String ask(Map<String, Object> options) throws InterruptedException {
    try (Player player = player(options)) {
      return player.respond(turn());
    }
  }

  private String complaint(Map<String, Object> options) {
    String line = userError(() -> ask(options));
    assertFalse(line.contains("\n"), line);
    assertFalse(line.contains(KEY), line);
    return line.replace(address(), "@");
  }

  @Test
  void conversationAndSamplingAreSent() throws InterruptedException {
    served.answers(200, TestHttpServer.completion("<answer>Down ü🐧</answer>"));
    assertEquals("<answer>Down ü🐧</answer>", ask(Map.of("api_key", KEY)));
    assertEquals(List.of("Bearer " + KEY), served.headers("Authorization"));
    assertEquals(
        JsonParser.parseString(
            """
            {"model": "tiny",
             "messages": [{"role": "system", "content": "Be \\"brief\\"."},
                          {"role": "user", "content": "Wo? ü🐧"},
                          {"role": "assistant", "content": "<answer>Up</answer>"},
                          {"role": "user", "content": "And now?"}],
             "temperature": 0.25, "top_p": 0.5, "max_tokens": 77, "stop": ["</answer>", "\\n"],
             "seed": 2147483647}
            """),
        JsonParser.parseString(served.bodies().getFirst()));
  }

  @Test
  void withoutAKeyNoneIsSent() throws InterruptedException {
    assertEquals("done", ask(Map.of()));
    assertEquals(List.of("null"), served.headers("Authorization"));
  }

  @Test
  void picturesGoWithTheirMessages() throws Exception {
    BufferedImage image = new BufferedImage(3, 2, BufferedImage.TYPE_INT_RGB);
    image.setRGB(2, 1, 0x123456);
    Picture png = Picture.png(image);
    Picture jpeg = Picture.of(new byte[] {-1, -40, -1, 0});
    try (Player player = player(Map.of())) {
      player.respond(
          turn(
              new Message("user", "Where?").showing(jpeg),
              new Message("user", "And now?").showing(png)));
    }
    var messages =
        JsonParser.parseString(served.bodies().getFirst())
            .getAsJsonObject()
            .getAsJsonArray("messages");
    assertTrue(messages.get(0).getAsJsonObject().get("content").isJsonPrimitive());
    var earlier = messages.get(1).getAsJsonObject().getAsJsonArray("content");
    assertEquals(jpeg, picture(earlier.get(0).getAsJsonObject(), "data:image/jpeg;base64,"));
    var parts = messages.get(3).getAsJsonObject().getAsJsonArray("content");
    assertEquals(png, picture(parts.get(0).getAsJsonObject(), "data:image/png;base64,"));
    assertEquals(
        JsonParser.parseString("{\"type\": \"text\", \"text\": \"And now?\"}"), parts.get(1));
  }

  private static Picture picture(JsonObject part, String type) {
    assertEquals("image_url", part.get("type").getAsString());
    String url = part.getAsJsonObject("image_url").get("url").getAsString();
    assertTrue(url.startsWith(type), url);
    return Picture.of(Base64.getDecoder().decode(url.substring(url.indexOf(',') + 1)));
  }

  @Test
  void triesAreCounted() {
    served.answers(503, "{\"error\": {\"message\": \"the model\\nis loading\"}}");
    assertEquals(
        "the agent openai: @/chat/completions answered 503: the model is loading, 3 times",
        complaint(Map.of("max_retries", 2)));
    assertEquals(3, served.bodies().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | {\"error\": {\"message\": \"context is 4096 tokens\"}} | : context is 4096 tokens",
        "401 | {\"error\": {\"message\": \"no key " + KEY + "\"}} | : no key …",
        "403 | {\"error\": \"forbidden\"} | : forbidden",
        "404 | {\"object\": \"error\", \"message\": \"no model tiny\"} | : no model tiny",
        "422 | {\"detail\": \"top_p\"} | : top_p",
        "404 | '<html>  nothing\there</html>' | : <html> nothing here</html>",
        "400 | '' | ''",
        "301 | '' | ''",
      })
  void permanentErrorsAreReportedAtOnce(int status, String body, String told) {
    served.answers(status, body);
    assertEquals(
        "the agent openai: @/chat/completions answered " + status + told,
        complaint(Map.of("api_key", KEY)));
    assertEquals(1, served.bodies().size());
  }

  @Test
  void theKeyIsHiddenBeforeTheLineIsCut() {
    served.answers(401, "x".repeat(295) + KEY);
    assertEquals(
        "the agent openai: @/chat/completions answered 401: " + "x".repeat(295) + "…",
        complaint(Map.of("api_key", KEY)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no JSON",
        "[]",
        "{}",
        "{\"choices\": []}",
        "{\"choices\": [{}]}",
        "{\"choices\": [{\"message\": 1}]}",
        "{\"choices\": [{\"message\": {\"content\": [1]}}]}",
        "{\"choices\": [{\"message\": {\"tool_calls\": [{\"function\": {}}]}}]}"
      })
  void whatIsNoCompletionIsTold(String body) {
    served.answers(200, body);
    assertEquals(
        "the agent openai: @/chat/completions answered no chat completion"
            + (body.isEmpty() ? "" : ": " + body),
        complaint(Map.of()));
  }

  @Test
  void aModelMayWriteNothing() throws InterruptedException {
    served.answers(200, "{\"choices\": [{\"message\": {\"content\": null}}]}");
    assertEquals("", ask(Map.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "base_url | ~ | proxy_config.base_url is required",
        "model_name | ~ | proxy_config.model_name is required",
        "base_url | localhost | 'proxy_config.base_url: expected an address such as"
            + " http://localhost:8000/v1, found ''localhost'''",
        "base_url | 'http://a b' | 'proxy_config.base_url: expected an address such as"
            + " http://localhost:8000/v1, found ''http://a b'''",
        "base_url | file:///etc | 'proxy_config.base_url: expected an address such as"
            + " http://localhost:8000/v1, found ''file:///etc'''",
        "api_key | 'a b' | 'proxy_config.api_key: expected a text without spaces, found ''…'''",
        "timeout | 0 | 'proxy_config.timeout: expected a number from 0.001 to 86400, found"
            + " ''0'''",
        "timeout | soon | 'proxy_config.timeout: expected number, found ''soon'''",
        "max_retries | -1 | 'proxy_config.max_retries: expected an integer from 0 to 1000,"
            + " found ''-1'''",
        "retry_delay | -1 | 'proxy_config.retry_delay: expected a number from 0 to 86400,"
            + " found ''-1'''",
        "max_concurrency | 0 | 'proxy_config.max_concurrency: expected an integer from 1 to"
            + " 100000, found ''0'''",
        "url | x | 'proxy_config: unknown key ''url'' (allowed: base_url, model_name, api_key,"
            + " timeout, max_retries, retry_delay, send_tools, max_concurrency)'",
      })
  void mistakesAreOneLine(String key, String value, String message) {
    Map<String, @Nullable Object> options =
        new HashMap<>(Map.of("base_url", "http://localhost", "model_name", "m"));
    Object typed = value.matches("-?\\d+") ? (Object) Integer.valueOf(value) : value;
    options.put(key, value.equals("~") ? null : typed);
    assertEquals(
        message,
        userError(() -> agent.configure(TestOptions.of("proxy_config", options, agent.options())))
            .replaceFirst("; did you mean.*", ""));
  }
}

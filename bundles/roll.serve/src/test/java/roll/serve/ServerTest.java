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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.UserException;
import roll.api.serving.ServedModel;
import roll.api.serving.ServedPlace;
import roll.api.serving.Serving;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.api.strategy.Sampling;

/** The interface, with a model that writes what the test says. */
@Timeout(60)
class ServerTest {
  private static final String CHAT = "/v1/chat/completions";
  private static final String TEXT = "/v1/completions";
  private static final String WEATHER =
      """
      [{"type":"function","function":{"name":"weather","description":"Weather",
        "parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}]\
      """;

  private final Scripted model = new Scripted();
  private @Nullable Serving serving;
  private @Nullable Client client;

  @AfterEach
  void close() {
    if (client != null) {
      client.close();
    }
    if (serving != null) {
      serving.close();
    }
  }

  private Client client() {
    return client(model, null, 16);
  }

  private Client client(Generator generator, @Nullable String key, int mostRequests) {
    Client known = client;
    if (known != null) {
      return known;
    }
    ServedModel served =
        new ServedModel(
            "tiny",
            new Bytes(),
            generator,
            (where, context) -> context.get("messages") + "|" + context.get("tools") + ">",
            List.of(Bytes.END, 7),
            400,
            true);
    Serving started =
        new HttpModelServer()
            .start(served, new ServedPlace(InetAddress.getLoopbackAddress(), 0, key, mostRequests));
    serving = started;
    Client made = new Client(started.address().getPort(), key);
    client = made;
    return made;
  }

  private static String body(String more) {
    return "{\"model\":\"tiny\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]" + more + "}";
  }

  private static JsonObject json(String text) {
    return JsonParser.parseString(text).getAsJsonObject();
  }

  private String prompt() {
    return new Bytes().decode(model.asked.getLast().prompt(), false);
  }

  /** Field by field as the documentation of OpenAI's chat completion object has it. */
  @Test
  void aChatCompletion() {
    JsonObject answer = client().ask(CHAT, body(""));
    assertTrue(answer.get("id").getAsString().matches("chatcmpl-[0-9a-f]{32}"));
    assertTrue(answer.get("created").getAsLong() > 1_700_000_000);
    answer.remove("id");
    answer.remove("created");
    assertEquals(
        json(
            """
            {"object":"chat.completion","model":"tiny",
             "choices":[{"index":0,
               "message":{"role":"assistant","content":"Hello","refusal":null},
               "logprobs":null,"finish_reason":"stop"}],
             "usage":{"prompt_tokens":%d,"completion_tokens":6,"total_tokens":%d}}
            """
                .formatted(prompt().length(), prompt().length() + 6)),
        answer);
    GenerationRequest asked = model.asked.getFirst();
    assertEquals("[{role=user, content=hi}]|null>", prompt());
    assertEquals(List.of(Bytes.END, 7), asked.stopTokens());
    assertEquals(Sampling.of(400 - prompt().length()), asked.sampling());
  }

  @Test
  void everyParameterIsHeard() {
    client()
        .ask(
            CHAT,
            body(
                """
                ,"temperature":0.5,"top_p":0.9,"top_k":5,"min_p":0.1,"max_tokens":9,"stop":["a","b"],
                "n":1,"seed":-7,"repetition_penalty":1.2,"presence_penalty":0,"frequency_penalty":0.0,
                "logit_bias":{},"stream":false,"user":"me","response_format":{"type":"text"},
                "store":false,"tool_choice":"auto","parallel_tool_calls":true,"top_logprobs":null,
                "chat_template_kwargs":{"tools":7}\
                """));
    assertEquals(
        new Sampling(0.5, 5, 0.9, 0.1, 1.2, 9, 0, List.of("a", "b"), List.of()),
        model.asked.getFirst().sampling());
    assertEquals(-7, model.asked.getFirst().seed());
    client().ask(CHAT, body(",\"max_completion_tokens\":3,\"top_k\":-1,\"stop\":\"c\""));
    assertEquals(Sampling.of(3).withStopStrings(List.of("c")), model.asked.getLast().sampling());
  }

  @Test
  void aConversationIsGivenAsTemplatesTakeIt() {
    client()
        .ask(
            CHAT,
            """
            {"model":"tiny","messages":[
              {"role":"developer","content":"S"},
              {"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},
              {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",
                "function":{"name":"weather","arguments":"{\\"city\\":\\"Bern\\",\\"days\\":2}"}}]},
              {"role":"tool","tool_call_id":"c1","content":"sun"}]}
            """);
    assertEquals(
        "[{role=system, content=S}, {role=user, content=a\nb}, {role=assistant,"
            + " tool_calls=[{id=c1, type=function, function={name=weather, arguments={city=Bern,"
            + " days=2}}}], content=}, {role=tool, tool_call_id=c1, name=weather,"
            + " content=sun}]|null>",
        prompt());
  }

  @Test
  void lengthEndsAnAnswerToo() {
    JsonObject choice = Client.choice(client().ask(CHAT, body(",\"max_tokens\":3")));
    assertEquals("Hel", choice.getAsJsonObject("message").get("content").getAsString());
    assertEquals("length", choice.get("finish_reason").getAsString());
  }

  @Test
  void aStopStringIsNoPartOfTheText() {
    model.text = "one\n\ntwo";
    JsonObject choice = Client.choice(client().ask(CHAT, body(",\"stop\":[\"\\n\\n\"]")));
    assertEquals("one", choice.getAsJsonObject("message").get("content").getAsString());
    assertEquals("stop", choice.get("finish_reason").getAsString());
    List<JsonObject> parts =
        client().stream(CHAT, body(",\"stop\":[\"\\n\\n\", \"none\"],\"stream\":true"));
    assertEquals("one", Client.said(parts, 0));
  }

  @Test
  void logProbsOfTheTextAlone() {
    model.text = "aü.b";
    JsonObject choice =
        Client.choice(client().ask(CHAT, body(",\"logprobs\":true,\"stop\":\".\"")));
    assertEquals(
        json(
            """
            {"content":[
              {"token":"a","logprob":0.0,"bytes":[97],"top_logprobs":[]},
              {"token":"\uFFFD","logprob":-0.25,"bytes":[239,191,189],"top_logprobs":[]},
              {"token":"\uFFFD","logprob":-0.5,"bytes":[239,191,189],"top_logprobs":[]}],
             "refusal":null}
            """),
        choice.get("logprobs"));
    choice =
        Client.choice(
            client().ask(TEXT, "{\"model\":\"tiny\",\"prompt\":\"x\",\"logprobs\":0,\"n\":1}"));
    assertEquals(
        json(
            """
            {"tokens":["a","\uFFFD","\uFFFD",".","b"],"token_logprobs":[0.0,-0.25,-0.5,-0.75,-1.0],
             "top_logprobs":null,"text_offset":[0,1,1,2,3]}
            """),
        choice.get("logprobs"));
  }

  /** Every part as OpenAI's chat completion chunk object has it. */
  @Test
  void aStream() {
    model.text = "ü🐧";
    List<JsonObject> parts =
        client().stream(CHAT, body(",\"stream\":true,\"stream_options\":{\"include_usage\":true}"));
    assertEquals(1, parts.stream().map(part -> part.get("id")).distinct().count());
    for (JsonObject part : parts) {
      assertTrue(part.remove("id").getAsString().startsWith("chatcmpl-"));
      assertTrue(part.remove("created").getAsLong() > 0);
      assertEquals("chat.completion.chunk", part.remove("object").getAsString());
      assertEquals("tiny", part.remove("model").getAsString());
    }
    String choice =
        "{\"choices\":[{\"index\":0,\"delta\":%s,\"logprobs\":null,\"finish_reason\":%s}],"
            + "\"usage\":null}";
    int prompt = prompt().length();
    assertEquals(
        List.of(
            json(choice.formatted("{\"role\":\"assistant\",\"content\":\"\"}", "null")),
            json(choice.formatted("{\"content\":\"ü\"}", "null")),
            json(choice.formatted("{\"content\":\"🐧\"}", "null")),
            json(choice.formatted("{}", "\"stop\"")),
            json(
                "{\"choices\":[],\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":7,\"total_tokens\":%d}}"
                    .formatted(prompt, prompt + 7))),
        parts);
  }

  @Test
  void severalChoicesAreApart() {
    JsonObject answer = client().ask(CHAT, body(",\"n\":3,\"seed\":5"));
    assertEquals(3, answer.getAsJsonArray("choices").size());
    assertEquals(18, answer.getAsJsonObject("usage").get("completion_tokens").getAsInt());
    assertEquals(5, model.asked.getFirst().seed());
    assertEquals(3, model.asked.stream().map(GenerationRequest::seed).distinct().count());
    List<JsonObject> parts = client().stream(CHAT, body(",\"n\":2,\"stream\":true"));
    assertEquals("Hello", Client.said(parts, 0));
    assertEquals("Hello", Client.said(parts, 1));
  }

  @Test
  void callsOfToolsAreTold() {
    model.text =
        "Let me see.\n<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Zürich\"}}\n"
            + "</tool_call>\n<tool_call>{\"name\":\"weather\",\"arguments\":{}}</tool_call>";
    JsonObject choice = Client.choice(client().ask(CHAT, body(",\"tools\":" + WEATHER)));
    assertEquals("tool_calls", choice.get("finish_reason").getAsString());
    JsonObject message = choice.getAsJsonObject("message");
    assertEquals("Let me see.", message.get("content").getAsString());
    assertEquals(2, message.getAsJsonArray("tool_calls").size());
    JsonObject call = message.getAsJsonArray("tool_calls").get(0).getAsJsonObject();
    assertTrue(call.remove("id").getAsString().matches("call_[0-9a-f]{24}"));
    assertEquals(
        json(
            """
            {"type":"function",
             "function":{"name":"weather","arguments":"{\\"city\\":\\"Zürich\\"}"}}\
            """),
        call);
    assertTrue(prompt().contains("[{type=function, function={name=weather"), prompt());
    List<JsonObject> parts = client().stream(CHAT, body(",\"stream\":true,\"tools\":" + WEATHER));
    assertEquals("Let me see.", Client.said(parts, 0));
    List<JsonObject> calls =
        parts.stream()
            .map(part -> Client.choice(part).getAsJsonObject("delta"))
            .filter(delta -> delta.has("tool_calls"))
            .map(delta -> delta.getAsJsonArray("tool_calls").get(0).getAsJsonObject())
            .toList();
    assertEquals(List.of(0, 1), calls.stream().map(c -> c.get("index").getAsInt()).toList());
    assertEquals(json("{\"name\":\"weather\",\"arguments\":\"{}\"}"), calls.get(1).get("function"));
    assertEquals("tool_calls", Client.choice(parts.getLast()).get("finish_reason").getAsString());
  }

  @Test
  void aCallAloneHasNoContent() {
    model.text = "<tool_call>{\"name\":\"weather\",\"arguments\":{}}</tool_call>";
    JsonObject message =
        Client.choice(client().ask(CHAT, body(",\"tools\":" + WEATHER))).getAsJsonObject("message");
    assertTrue(message.get("content").isJsonNull());
    // without tools, or where they are forbidden, it is text, and the model is shown none
    for (String none : List.of("", ",\"tool_choice\":\"none\",\"tools\":" + WEATHER)) {
      message = Client.choice(client().ask(CHAT, body(none))).getAsJsonObject("message");
      assertEquals(model.text, message.get("content").getAsString());
      assertFalse(message.has("tool_calls"));
      assertTrue(prompt().endsWith("|null>"), prompt());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<tool_call>{\"name\":\"weather\"}</tool_call>",
        "<tool_call>{\"name\":1,\"arguments\":{}}</tool_call> ",
        "<tool_call>weather()</tool_call>",
        " a <tool_call> b",
        "a <tool",
        "<tool_call>{\"name\":\"weather\",\"arguments\":{}}",
      })
  void whatIsNoCallStaysText(String text) {
    model.text = text;
    JsonObject choice = Client.choice(client().ask(CHAT, body(",\"tools\":" + WEATHER)));
    assertEquals(text, choice.getAsJsonObject("message").get("content").getAsString());
    assertEquals("stop", choice.get("finish_reason").getAsString());
    List<JsonObject> parts = client().stream(CHAT, body(",\"stream\":true,\"tools\":" + WEATHER));
    assertEquals(text, Client.said(parts, 0));
  }

  @Test
  void aTextCompletion() {
    JsonObject answer =
        client().ask(TEXT, "{\"model\":\"tiny\",\"prompt\":[\"ab\",\"cde\"],\"n\":2}");
    assertTrue(answer.remove("id").getAsString().startsWith("cmpl-"));
    answer.remove("created");
    String choice =
        "{\"index\":%d,\"text\":\"Hello\",\"logprobs\":null,\"finish_reason\":\"stop\"}";
    assertEquals(
        json(
            "{\"object\":\"text_completion\",\"model\":\"tiny\",\"choices\":[%s,%s,%s,%s],"
                    .formatted(
                        choice.formatted(0),
                        choice.formatted(1),
                        choice.formatted(2),
                        choice.formatted(3))
                + "\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":24,\"total_tokens\":29}}"),
        answer);
    assertEquals(List.of(2, 2, 3, 3), model.asked.stream().map(r -> r.prompt().length).toList());
    assertEquals(16, model.asked.getFirst().sampling().maxNewTokens());
    client().ask(TEXT, "{\"model\":\"tiny\",\"prompt\":[1,2,3]}");
    assertEquals(3, model.asked.getLast().prompt()[2]);
    List<JsonObject> parts =
        client().stream(TEXT, "{\"model\":\"tiny\",\"prompt\":\"x\",\"stream\":true}");
    StringBuilder text = new StringBuilder();
    parts.forEach(part -> text.append(Client.choice(part).get("text").getAsString()));
    assertEquals("Hello", text.toString());
  }

  @Test
  void theModelsThereAre() {
    JsonObject models = json(client().get("/v1/models").body());
    assertEquals("list", models.get("object").getAsString());
    JsonObject card = models.getAsJsonArray("data").get(0).getAsJsonObject();
    assertTrue(card.get("created").getAsLong() > 0);
    assertEquals(card, json(client().get("/v1/models/tiny").body()));
    card.remove("created");
    assertEquals(
        json("{\"id\":\"tiny\",\"object\":\"model\",\"owned_by\":\"roll\",\"max_model_len\":400}"),
        card);
    assertEquals(200, client().get("/health").statusCode());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "presence_penalty | 0.5 | \"presence_penalty\"",
        "frequency_penalty | 1 | \"frequency_penalty\"",
        "logit_bias | {\"1\":2} | \"logit_bias\"",
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
        "response_format | {\"type\":\"json_object\"} | \"response_format\"",
        "tool_choice | \"required\" | \"tool_choice\"",
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
    // the place is free again
    assertEquals(500, client().post(CHAT, body(",\"stream\":true")).statusCode());
  }

  @Test
  void theKeyIsAskedFor() {
    Client right = client(model, "sk-right", 4);
    assertEquals(200, right.get("/v1/models").statusCode());
    int port = java.util.Objects.requireNonNull(serving).address().getPort();
    for (String wrong : new String[] {null, "sk-righ", "sk-right2", ""}) {
      try (Client other = new Client(port, wrong)) {
        assertEquals("\"invalid_api_key\"", error(401, other.get("/v1/models")));
        assertEquals("\"invalid_api_key\"", error(401, other.post(CHAT, body(""))));
        assertEquals(200, other.get("/health").statusCode());
      }
    }
    assertTrue(model.asked.isEmpty());
  }

  @Test
  void otherMachinesNeedAKey() throws UnknownHostException {
    ServedModel served = new ServedModel("m", new Bytes(), model, null, List.of(), 9, false);
    ServedPlace open = new ServedPlace(InetAddress.getByName("0.0.0.0"), 0, null, 1);
    assertEquals(
        "host: 0.0.0.0 is open to other machines, which needs a key; without one only 127.0.0.1"
            + " is allowed",
        assertThrows(UserException.class, () -> new HttpModelServer().start(served, open))
            .getMessage());
  }

  /** Never ends by itself. */
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
  void whoLeavesIsNotWrittenFor(String more) throws Exception {
    Endless endless = new Endless();
    Client other = client(endless, null, 1);
    int port = java.util.Objects.requireNonNull(serving).address().getPort();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      byte[] body = body(more).getBytes(StandardCharsets.UTF_8);
      OutputStream out = socket.getOutputStream();
      out.write(
          ("POST "
                  + CHAT
                  + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                  + "Content-Length: "
                  + body.length
                  + "\r\n\r\n")
              .getBytes(StandardCharsets.UTF_8));
      out.write(body);
      out.flush();
      endless.begun.await();
      HttpResponse<String> busy = other.post(CHAT, body(""));
      assertEquals("\"rate_limit_exceeded\"", error(429, busy));
      assertEquals(
          Map.of("Retry-After", "1").get("Retry-After"),
          busy.headers().firstValue("Retry-After").orElse(""));
      assertFalse(endless.result.isDone());
    }
    while (!endless.result.isCancelled()) {
      Thread.sleep(10);
    }
  }

  @Test
  void closingGivesUpWhatIsUnderWay() throws InterruptedException {
    Endless endless = new Endless();
    Client other = client(endless, null, 1);
    Thread asking =
        Thread.startVirtualThread(
            () -> assertThrows(IllegalStateException.class, () -> other.post(CHAT, body(""))));
    endless.begun.await();
    java.util.Objects.requireNonNull(serving).close();
    assertTrue(endless.result.isCancelled());
    asking.join();
  }
}

package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.agent.openai.OpenAiAgent;
import roll.api.data.Message;
import roll.api.env.Episode;
import roll.api.env.Step;
import roll.api.model.ChatTemplate;
import roll.api.model.Tokenizer;
import roll.api.rollout.AgentTurn;
import roll.api.rollout.Player;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;
import roll.env.frozen_lake.FrozenLakeEnvironment;
import roll.runtime.option.YamlOptions;
import roll.testkit.TestEpisodeView;

/** The random model that plays FrozenLake, served by the real engine. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TinyModelTest {
  private static final String CHAT = "/v1/chat/completions";
  private TinyServer server;
  private Tokenizer tokenizer;
  private ChatTemplate template;
  private InferSession session;
  private OpenAiClient client;

  @BeforeAll
  void open() {
    server = new TinyServer(64);
    tokenizer = server.tokenizer;
    template = server.template;
    session = server.session;
    client = server.client;
  }

  @AfterAll
  void close() {
    server.close();
  }

  private static String body(String text, String more) {
    return "{\"model\":\"lake\",\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]%s}"
        .formatted(text, more);
  }

  /** Returns the response of the engine without a server. */
  private String direct(String text, Sampling sampling, long seed) {
    Map<String, Object> context =
        Map.of(
            "messages",
            List.of(Map.of("role", "user", "content", text)),
            "add_generation_prompt",
            true);
    int[] prompt = tokenizer.encode(template.render("test", context));
    GenerationRequest request =
        new GenerationRequest(prompt, sampling, tokenizer.stopTokens(), seed);
    int[] tokens = session.generate(List.of(request)).join().getFirst().tokens();
    return tokenizer.decode(tokens, false);
  }

  private static String content(JsonObject answer) {
    return OpenAiClient.choice(answer).getAsJsonObject("message").get("content").getAsString();
  }

  @Test
  void aChatIsWhatTheEngineWrites() {
    String more = ",\"temperature\":0,\"max_tokens\":40";
    String expected = direct("at 3 4", Sampling.greedy(40), 0);
    assertEquals(expected, content(client.ask(CHAT, body("at 3 4", more))));
    assertEquals(
        expected,
        OpenAiClient.said(client.stream(CHAT, body("at 3 4", more + ",\"stream\":true")), 0));
    assertEquals(
        direct("at 3 4", Sampling.of(40), 9),
        content(client.ask(CHAT, body("at 3 4", ",\"seed\":9,\"max_tokens\":40"))));
  }

  /** A stream has the log-probs of the complete answer. */
  @Test
  void aStreamHasTheLogProbsOfTheWholeAnswer() {
    String more = ",\"seed\":3,\"max_tokens\":20,\"logprobs\":true";
    JsonArray whole =
        OpenAiClient.choice(client.ask(CHAT, body("at 3 4", more)))
            .getAsJsonObject("logprobs")
            .getAsJsonArray("content");
    JsonArray told = new JsonArray();
    for (JsonObject part : client.stream(CHAT, body("at 3 4", more + ",\"stream\":true"))) {
      if (OpenAiClient.choice(part).get("logprobs") instanceof JsonObject logProbs) {
        told.addAll(logProbs.getAsJsonArray("content"));
      }
    }
    assertTrue(whole.size() > 1);
    assertEquals(whole, told);
  }

  @Test
  void theTextOfTheModelEndsBeforeAStopString() {
    String whole = direct("at 3 4", Sampling.greedy(60), 0);
    String stop = whole.substring(whole.length() / 2, whole.length() / 2 + 2);
    String more = ",\"temperature\":0,\"max_tokens\":60,\"stop\":\"" + stop + "\"";
    String expected = whole.substring(0, whole.indexOf(stop));
    JsonObject answer = client.ask(CHAT, body("at 3 4", more));
    assertEquals(expected, content(answer));
    assertEquals("stop", OpenAiClient.choice(answer).get("finish_reason").getAsString());
    assertTrue(answer.getAsJsonObject("usage").get("completion_tokens").getAsInt() < 60);
    assertEquals(
        expected,
        OpenAiClient.said(client.stream(CHAT, body("at 3 4", more + ",\"stream\":true")), 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",\"stream\":true"})
  void aFormatIsKeptOrRefused(String stream) {
    String more = ",\"max_tokens\":200,\"structured_outputs\":{%s}" + stream;
    String asked = body("at 3 4", more.formatted("\"regex\":\"((Left|Up) ?){2,5}\""));
    String text =
        stream.isEmpty()
            ? content(client.ask(CHAT, asked))
            : OpenAiClient.said(client.stream(CHAT, asked), 0);
    assertTrue(text.matches("((Left|Up) ?){2,5}"), text);
    for (String[] wrong :
        new String[][] {
          {"\"json\":{\"enum\":[]}", "structured_outputs.json: $: enum, const and type allow"},
          {"\"regex\":\"(\"", "structured_outputs.regex: at character 2: expected ')'"},
          {"\"json_object\":true", "allows no text that the vocabulary can write"},
        }) {
      HttpResponse<String> refused = client.post(CHAT, body("at 3 4", more.formatted(wrong[0])));
      assertEquals(400, refused.statusCode());
      assertTrue(refused.body().contains(wrong[1]), refused.body());
    }
  }

  @Test
  void aPromptThatIsTooLong() {
    String text = "at 3 4 ".repeat(TinyServer.LONGEST);
    assertTrue(client.post(CHAT, body(text, "")).body().contains("context_length_exceeded"));
  }

  @Test
  void twentyAtOnceAreWhatTheyAreAlone() throws Exception {
    List<Callable<String>> calls = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      String text = "at " + i % 8 + " " + i / 8;
      String more = ",\"max_tokens\":%d,\"seed\":%d".formatted(20 + i, i);
      boolean stream = i % 2 == 1;
      expected.add(direct(text, Sampling.of(20 + i), i));
      calls.add(
          () ->
              stream
                  ? OpenAiClient.said(client.stream(CHAT, body(text, more + ",\"stream\":true")), 0)
                  : content(client.ask(CHAT, body(text, more))));
    }
    session.metrics();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> answers = threads.invokeAll(calls);
      for (int i = 0; i < answers.size(); i++) {
        assertEquals(expected.get(i), answers.get(i).get());
      }
    }
    assertTrue(session.metrics().get("vllm/num_requests_running_max") > 1);
  }

  /** An agent that only knows the address plays with the policy, turn by turn. */
  @Test
  void anOutsideAgentPlaysFrozenLake() throws InterruptedException {
    OpenAiAgent agent = new OpenAiAgent();
    Map<String, Object> options =
        Map.of("base_url", "http://127.0.0.1:" + server.port() + "/v1", "model_name", "lake");
    FrozenLakeEnvironment lake = new FrozenLakeEnvironment();
    try (Player player =
            agent.configure(YamlOptions.checked("proxy_config", options, agent.options()));
        Episode episode =
            lake.configure(YamlOptions.checked("env_config", Map.of(), lake.options())).reset(3)) {
      List<Message> messages = new ArrayList<>();
      boolean done = false;
      int turns = 0;
      for (; turns < 3 && !done; turns++) {
        // the model's vocabulary lacks most letters, so it sees its position instead of the map
        messages.add(new Message("user", "at " + turns + " 4"));
        Sampling sampling = Sampling.greedy(8);
        String response =
            player.respond(new AgentTurn(messages, new TestEpisodeView(), sampling, turns, turns));
        messages.add(new Message("assistant", response));
        Step step = episode.step(response);
        done = step.done();
      }
      assertTrue(turns > 0);
      assertEquals(direct("at 0 4", Sampling.greedy(8), 0), messages.get(1).content());
    }
  }

  @Test
  void severalChoicesDiffer() {
    JsonObject answer = client.ask(CHAT, body("at 1 1", ",\"n\":4,\"seed\":1,\"max_tokens\":30"));
    JsonArray choices = answer.getAsJsonArray("choices");
    assertEquals(4, choices.size());
    assertEquals(
        direct("at 1 1", Sampling.of(30), 1),
        choices.get(0).getAsJsonObject().getAsJsonObject("message").get("content").getAsString());
    assertEquals(
        4,
        choices.asList().stream().map(c -> c.getAsJsonObject().get("message")).distinct().count());
  }
}

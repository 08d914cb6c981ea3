package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.agent.openai.OpenAiAgent;
import roll.api.data.Message;
import roll.api.option.UserException;
import roll.api.rollout.AgentTurn;
import roll.api.rollout.EpisodeView;
import roll.api.rollout.Player;
import roll.api.strategy.Sampling;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;
import roll.runtime.option.YamlOptions;
import roll.testkit.TestEpisodeView;

/** Tool calls in answers. */
class ServerToolsTest extends ServerTestBase {
  private static final String WEATHER =
      """
      [{"type":"function","function":{"name":"weather","description":"Weather",
        "parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}]\
      """;

  @Test
  void toolCallsAreReturned() {
    model.text =
        "Let me see.\n<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Zürich\"}}\n"
            + "</tool_call>\n<tool_call>{\"name\":\"weather\",\"arguments\":{}}</tool_call>";
    JsonObject choice = OpenAiClient.choice(client().ask(CHAT, body(",\"tools\":" + WEATHER)));
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
    assertEquals("Let me see.", OpenAiClient.said(parts, 0));
    List<JsonObject> calls =
        parts.stream()
            .map(part -> OpenAiClient.choice(part).getAsJsonObject("delta"))
            .filter(delta -> delta.has("tool_calls"))
            .map(delta -> delta.getAsJsonArray("tool_calls").get(0).getAsJsonObject())
            .toList();
    assertEquals(List.of(0, 1), calls.stream().map(c -> c.get("index").getAsInt()).toList());
    assertEquals(json("{\"name\":\"weather\",\"arguments\":\"{}\"}"), calls.get(1).get("function"));
    assertEquals(
        "tool_calls", OpenAiClient.choice(parts.getLast()).get("finish_reason").getAsString());
  }

  @Test
  void onlyTheFirstCallIsReturnedOnRequest() {
    String call = "<tool_call>{\"name\":\"weather\",\"arguments\":{}}</tool_call>";
    model.text = "So. " + call + "\n" + call + " done";
    String tools = ",\"parallel_tool_calls\":false,\"tools\":" + WEATHER;
    JsonObject message =
        OpenAiClient.choice(client().ask(CHAT, body(tools))).getAsJsonObject("message");
    assertEquals(1, message.getAsJsonArray("tool_calls").size());
    assertEquals("So.done", message.get("content").getAsString());
    List<JsonObject> parts = client().stream(CHAT, body(",\"stream\":true" + tools));
    assertEquals(1, parts.stream().filter(part -> part.toString().contains("call_")).count());
  }

  @Test
  void tokensThatEndAnAnswerAreAdded() {
    for (String path : List.of(CHAT, "/v1/completions")) {
      String asked = path.equals(CHAT) ? body("") : "{\"model\":\"tiny\",\"prompt\":\"hi\"}";
      client().ask(path, asked);
      List<Integer> own = model.asked.getLast().stopTokens();
      client().ask(path, asked.replaceFirst("\\{", "{\"stop_token_ids\":[65,66,65],"));
      List<Integer> all = new ArrayList<>(own);
      all.addAll(List.of(65, 66));
      assertEquals(all, model.asked.getLast().stopTokens());
    }
  }

  @Test
  void aCallAloneHasNoContent() {
    model.text = "<tool_call>{\"name\":\"weather\",\"arguments\":{}}</tool_call>";
    JsonObject message =
        OpenAiClient.choice(client().ask(CHAT, body(",\"tools\":" + WEATHER)))
            .getAsJsonObject("message");
    assertTrue(message.get("content").isJsonNull());
    // without tools, or if calls are forbidden, it is text and the prompt lists no tools
    for (String none : List.of("", ",\"tool_choice\":\"none\",\"tools\":" + WEATHER)) {
      message = OpenAiClient.choice(client().ask(CHAT, body(none))).getAsJsonObject("message");
      assertEquals(model.text, message.get("content").getAsString());
      assertFalse(message.has("tool_calls"));
      assertTrue(prompt().endsWith("|null>"), prompt());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<tool_call>{\"name\":\"weather\",\"arguments\":1}</tool_call>",
        "<think>I could <tool_call>{\"name\":\"weather\",\"arguments\":{}}</tool_call></think> no",
        "<think><tool_call>{\"name\":\"weather\",\"arguments\":{}}</tool_call>",
        "<tool_call>{\"name\":1,\"arguments\":{}}</tool_call> ",
        "<tool_call>weather()</tool_call>",
        " a <tool_call> b",
        "a <tool",
        "<tool_call>{\"name\":\"weather\",\"arguments\":{}}",
      })
  void whatIsNoCallStaysText(String text) {
    model.text = text;
    JsonObject choice = OpenAiClient.choice(client().ask(CHAT, body(",\"tools\":" + WEATHER)));
    assertEquals(text, choice.getAsJsonObject("message").get("content").getAsString());
    assertEquals("stop", choice.get("finish_reason").getAsString());
    List<JsonObject> parts = client().stream(CHAT, body(",\"stream\":true,\"tools\":" + WEATHER));
    assertEquals(text, OpenAiClient.said(parts, 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"name\":\"weather\"} | {}",
        "{\"name\":\"weather\",\"arguments\":null} | {}",
        "{\"name\":\"weather\",\"arguments\":\"{\\\"n\\\": 1.0}\"} | {\"n\":1.0}",
        "{\"name\":\"weather\",\"arguments\":{\"a\":\"x</tool_call>y\"}} |"
            + " {\"a\":\"x</tool_call>y\"}",
      })
  void everyFormOfACallIsParsed(String written, String arguments) {
    model.text = "<think>hm</think><tool_call>" + written + "</tool_call>";
    JsonObject choice = OpenAiClient.choice(client().ask(CHAT, body(",\"tools\":" + WEATHER)));
    JsonObject message = choice.getAsJsonObject("message");
    assertEquals("<think>hm</think>", message.get("content").getAsString());
    assertEquals(
        arguments,
        message
            .getAsJsonArray("tool_calls")
            .get(0)
            .getAsJsonObject()
            .getAsJsonObject("function")
            .get("arguments")
            .getAsString());
  }

  private static final String CALLED =
      """
      {"model":"tiny","messages":[{"role":"user","content":"hi"},
        {"role":"assistant","content":%s,"tool_calls":[
          {"id":"c1","type":"function",
           "function":{"name":"weather","arguments":"{\\"city\\":\\"Zürich</tool_call>\\",\\"n\\":2}"}},
          {"id":"c2","type":"function","function":{"name":"now","arguments":""}}]},
        {"role":"tool","tool_call_id":"c1","content":"sun"},
        {"role":"tool","tool_call_id":"c2","content":"noon"}]}
      """;

  /** Calls are rendered as text for templates that only read role and content. */
  @Test
  void callsAreWrittenForTemplatesThatShowNone() {
    template =
        (where, context) -> {
          StringBuilder text = new StringBuilder();
          for (Object message : (List<?>) Objects.requireNonNull(context.get("messages"))) {
            Map<?, ?> entry = (Map<?, ?>) message;
            text.append(entry.get("role")).append(": ").append(entry.get("content")).append('\n');
          }
          return text.toString();
        };
    String calls =
        """
        <tool_call>
        {"name": "weather", "arguments": {"city": "Zürich<\\/tool_call>", "n": 2}}
        </tool_call>
        <tool_call>
        {"name": "now", "arguments": {}}
        </tool_call>
        tool: sun
        tool: noon
        """;
    client().ask(CHAT, CALLED.formatted("null"));
    assertEquals("user: hi\nassistant: " + calls, prompt());
    client().ask(CHAT, CALLED.formatted("\"So.\""));
    assertEquals("user: hi\nassistant: So.\n" + calls, prompt());
  }

  /** A template that requires calls before results receives them in its own fields. */
  @Test
  void callsAreLeftToTemplatesThatShowThem() {
    template =
        (where, context) -> {
          String messages = String.valueOf(context.get("messages"));
          if (!messages.contains("tool_calls")) {
            throw new UserException("a result without a call");
          }
          return messages;
        };
    client().ask(CHAT, CALLED.formatted("null"));
    assertTrue(prompt().contains("function={name=now, arguments={}}}], content=}"), prompt());
  }

  /**
   * An outside agent plays with tools: the prompt lists them, its calls reach its episode as text,
   * and later prompts have the calls and their results.
   */
  @Test
  void anOutsideAgentPlaysWithTools() throws InterruptedException {
    model.text =
        "So.\n<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Zürich\"}}\n"
            + "</tool_call>";
    client(); // starts the server
    OpenAiAgent agent = new OpenAiAgent();
    String address = "http://127.0.0.1:" + serving().address().getPort() + "/v1";
    Map<String, Object> options = Map.of("base_url", address, "model_name", "tiny");
    try (Player player =
        agent.configure(YamlOptions.checked("proxy_config", options, agent.options()))) {
      Message asked = new Message("user", "hi");
      assertEquals(model.text, player.respond(turn(asked)));
      Message called = new Message("assistant", model.text);
      player.respond(turn(asked, called, new Message("tool", "sun", "weather")));
    }
    assertTrue(prompt().contains("[{type=function, function={name=weather"), prompt());
    assertTrue(
        prompt()
            .startsWith(
                "[{role=user, content=hi}, {role=assistant, tool_calls=[{id=call00000,"
                    + " type=function, function={name=weather, arguments={city=Zürich}}}],"
                    + " content=So.}, {role=tool, tool_call_id=call00000, name=weather,"
                    + " content=sun}]|"),
        prompt());
  }

  private static AgentTurn turn(Message... messages) {
    ToolSchema weather = ToolSchema.of("weather", "Weather", Argument.text("city", "where"));
    EpisodeView seen = new TestEpisodeView().withTools(List.of(weather));
    return new AgentTurn(List.of(messages), seen, Sampling.greedy(200), 0, 0);
  }
}

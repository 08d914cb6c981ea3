package roll.agent.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.agent.types.HfAgent;
import roll.api.data.Message;
import roll.api.rollout.AgentTurn;
import roll.api.rollout.Player;
import roll.api.strategy.Sampling;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;
import roll.testkit.TestEpisodeView;
import roll.testkit.TestHttpServer;
import roll.testkit.TestOptions;

/** Tools in the form of the protocol, and calls back in the form that agent types read. */
@Timeout(60)
class ToolCallsTest {
  private static final ToolSchema CALCULATOR =
      ToolSchema.of("calculator", "Adds <& more>.", Argument.text("expression", "what"));

  private final OpenAiAgent agent = new OpenAiAgent();

  @AutoClose
  private final TestHttpServer served =
      new TestHttpServer("/v1/chat/completions", TestHttpServer.completion("3"));

  ToolCallsTest() throws IOException {}

  private String ask(boolean sends, ToolSchema... tools) throws InterruptedException {
    Map<String, Object> options =
        Map.of("base_url", served.address() + "/v1", "model_name", "m", "send_tools", sends);
    try (Player player = agent.configure(TestOptions.of("proxy", options, agent.options()))) {
      List<Message> asked = List.of(new Message("user", "1 + 2?"));
      TestEpisodeView world = new TestEpisodeView().withTools(List.of(tools));
      return player.respond(new AgentTurn(asked, world, Sampling.of(8), 0, 1));
    }
  }

  /** Answers with {@code calls}, and {@code content} in JSON. */
  private void calls(String content, String calls) {
    served.answers(
        200,
        "{\"choices\": [{\"message\": {\"content\": %s, \"tool_calls\": [%s]}}]}"
            .formatted(content, calls));
  }

  private JsonObject sent() {
    return JsonParser.parseString(served.bodies().getLast()).getAsJsonObject();
  }

  @Test
  void toolsAreSentAsTheProtocolHasThem() throws InterruptedException {
    assertEquals("3", ask(true, CALCULATOR));
    assertEquals(
        JsonParser.parseString(
            """
            [{"type": "function",
              "function": {"name": "calculator", "description": "Adds <& more>.",
                "parameters": {"type": "object",
                  "properties": {"expression": {"type": "string", "description": "what"}},
                  "required": ["expression"]}}}]
            """),
        sent().get("tools"));
  }

  @Test
  void withoutAnyOrWhereTheyAreNotWantedTheFieldIsNotThere() throws InterruptedException {
    ask(true);
    assertFalse(sent().has("tools"));
    ask(false, CALCULATOR);
    assertFalse(sent().has("tools"));
  }

  @Test
  void callsAreToldAsHermesModelsWriteThem() throws InterruptedException {
    calls(
        "\"Let me see.\"",
        """
        {"id": "a", "type": "function",
         "function": {"name": "calculator", "arguments": "{\\"expression\\":\\"1 + 2\\",\\"n\\":1e3}"}},
        {"function": {"name": "look", "arguments": ""}}
        """);
    String text = ask(true, CALCULATOR);
    assertEquals(
        """
        Let me see.
        <tool_call>
        {"name": "calculator", "arguments": {"expression": "1 + 2", "n": 1e3}}
        </tool_call>
        <tool_call>
        {"name": "look", "arguments": {}}
        </tool_call>\
        """,
        text);
    assertEquals(
        List.of(
            ToolCall.of("calculator", Map.of("expression", "1 + 2", "n", 1000.0)),
            ToolCall.of("look", Map.of())),
        new HfAgent().read(text, List.of(CALCULATOR)).calls());
  }

  @Test
  void aCallMayBeAllThatIsSaid() throws InterruptedException {
    for (String content : List.of("null", "\"\"")) {
      calls(content, "{\"function\": {\"name\": \"look\", \"arguments\": {\"at\": null}}}");
      assertEquals(
          "<tool_call>\n{\"name\": \"look\", \"arguments\": {\"at\": null}}\n</tool_call>",
          ask(true, CALCULATOR));
    }
  }

  /** Arguments are returned unchanged, also if they look like the end of a call. */
  @ParameterizedTest
  @CsvSource({"</tool_call>", "<tool_call>", "ü🐧 <&'\"", "'a\nb\tc\\'"})
  void argumentsComeBack(String text) throws InterruptedException {
    JsonObject arguments = new JsonObject();
    arguments.addProperty("expression", text);
    JsonObject function = new JsonObject();
    function.addProperty("name", "calculator");
    function.addProperty("arguments", arguments.toString());
    calls("null", "{\"function\": " + function + "}");
    assertEquals(
        List.of(ToolCall.of("calculator", Map.of("expression", text))),
        new HfAgent().read(ask(true, CALCULATOR), List.of(CALCULATOR)).calls());
  }

  /** The agent type reports the error to the model, as for a call in text. */
  @ParameterizedTest
  @CsvSource({"1 + 2", "[1]", "{\"expression\": 1", "\"{}\""})
  void argumentsThatAreNoneAreLeftToTheAgentType(String text) throws InterruptedException {
    JsonObject function = new JsonObject();
    function.addProperty("name", "calculator");
    function.addProperty("arguments", text);
    calls("null", "{\"function\": " + function + "}");
    ToolCall call =
        new HfAgent().read(ask(true, CALCULATOR), List.of(CALCULATOR)).calls().getFirst();
    assertEquals("calculator", call.tool());
    assertTrue(String.valueOf(call.problem()).startsWith("Invalid input: in \"arguments\""));
  }

  @Test
  void noCallsAreNone() throws InterruptedException {
    calls("\"3\"", "");
    assertEquals("3", ask(true, CALCULATOR));
    served.answers(
        200, "{\"choices\": [{\"message\": {\"content\": \"4\", \"tool_calls\": null}}]}");
    assertEquals("4", ask(true, CALCULATOR));
    assertNull(sent().get("tool_choice"));
  }
}

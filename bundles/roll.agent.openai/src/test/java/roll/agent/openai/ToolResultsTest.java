package roll.agent.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.awt.image.BufferedImage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.data.Message;
import roll.api.image.Picture;
import roll.api.rollout.AgentTurn;
import roll.api.strategy.Sampling;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;
import roll.testkit.TestEpisodeView;

/** Calls of earlier turns and what tools said, as an endpoint is sent them. */
class ToolResultsTest {
  private static final ToolSchema CALCULATOR =
      ToolSchema.of("calculator", "Adds.", Argument.text("expression", "what"));
  private static final String CALL =
      """
      <tool_call>
      {"name": "calculator", "arguments": {"expression": "%s"}}
      </tool_call>\
      """;
  private static final Message ASKED = new Message("user", "1 + 2?");

  private static JsonArray sent(List<ToolSchema> tools, Message... messages) {
    AgentTurn turn =
        new AgentTurn(
            List.of(messages), new TestEpisodeView().withTools(tools), Sampling.of(8), 0, 1);
    return TurnRequest.of("m", turn, tools).getAsJsonArray("messages");
  }

  private static JsonArray withTools(Message... messages) {
    return sent(List.of(CALCULATOR), messages);
  }

  private static Message said(String text) {
    return new Message("assistant", text);
  }

  private static Message result(String text) {
    return new Message("tool", text, "calculator");
  }

  private static void assertJson(String expected, JsonElement found) {
    assertEquals(JsonParser.parseString(expected), found);
  }

  @Test
  void callsAndResultsGoAsTheProtocolHasThem() {
    assertJson(
        """
        [{"role": "user", "content": "1 + 2?"},
         {"role": "assistant", "content": "Both.", "tool_calls": [
           {"id": "call00000", "type": "function",
            "function": {"name": "calculator", "arguments": "{\\"expression\\": \\"1 + 2\\"}"}},
           {"id": "call00001", "type": "function",
            "function": {"name": "calculator", "arguments": "{\\"expression\\": \\"2 + 2\\"}"}}]},
         {"role": "tool", "tool_call_id": "call00000", "content": "3"},
         {"role": "tool", "tool_call_id": "call00001", "content": "4"},
         {"role": "assistant", "content": null, "tool_calls": [
           {"id": "call00002", "type": "function",
            "function": {"name": "calculator", "arguments": "{\\"expression\\": \\"3 + 4\\"}"}}]},
         {"role": "tool", "tool_call_id": "call00002", "content": "7"},
         {"role": "assistant", "content": "7"},
         {"role": "user", "content": "Sure?"}]
        """,
        withTools(
            ASKED,
            said("Both.\n" + CALL.formatted("1 + 2") + "\n" + CALL.formatted("2 + 2")),
            result("3"),
            result("4"),
            said(CALL.formatted("3 + 4")),
            result("7"),
            said("7"),
            new Message("user", "Sure?")));
  }

  /** Arguments are sent as they came, whatever is in them. */
  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"expression\": \"<\\/tool_call>\", \"n\": 1e3, \"at\": null}"})
  void argumentsAreThoseOfTheCall(String arguments) {
    String text =
        "<tool_call>{\"name\": \"x\", \"arguments\": %s}</tool_call>".formatted(arguments);
    JsonObject caller = withTools(ASKED, said(text), result("3")).get(1).getAsJsonObject();
    JsonObject call = caller.getAsJsonArray("tool_calls").get(0).getAsJsonObject();
    String sent = call.getAsJsonObject("function").get("arguments").getAsString();
    assertJson(arguments, JsonParser.parseString(sent));
  }

  /** Content that the protocol cannot express is kept as text. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "call",
        "<tool_call>calculator</tool_call>",
        "<tool_call>{\"name\": 1, \"arguments\": {}}</tool_call>",
        "<tool_call>{\"name\": \"x\", \"arguments\": \"1 + 2\"}</tool_call>",
        "<tool_call>{\"name\": \"x\", \"arguments\": {}}</tool_call> That is all.",
        "<tool_call>{\"name\": \"x\", \"arguments\": {}}",
        "<tool_call>{\"name\": \"x\", \"arguments\": {}}</tool_call>"
            + "<tool_call>{\"name\": \"y\", \"arguments\": {}}</tool_call>",
      })
  void whatCannotBeSaidSoIsText(String text) {
    JsonArray sent = withTools(ASKED, said(text), result("3"));
    JsonObject caller = sent.get(1).getAsJsonObject();
    assertEquals(text, caller.get("content").getAsString());
    assertFalse(caller.has("tool_calls"));
    assertJson(
        "{\"role\": \"user\", \"content\": \"<tool_response>\\n3\\n</tool_response>\"}",
        sent.get(2));
  }

  @Test
  void withoutToolsResultsOfOneMessageAreOneMessageOfTheUser() {
    String call = CALL.formatted("1 + 2");
    JsonArray sent =
        sent(List.of(), ASKED, said(call), result("3"), result("4"), said(call), result("5"));
    assertEquals(call, sent.get(1).getAsJsonObject().get("content").getAsString());
    assertJson(
        """
        {"role": "user", "content": "<tool_response>\\n3\\n</tool_response>\\n<tool_response>\\n4\\n</tool_response>"}
        """,
        sent.get(2));
    assertJson(
        "{\"role\": \"user\", \"content\": \"<tool_response>\\n5\\n</tool_response>\"}",
        sent.get(4));
  }

  /** The protocol takes pictures from users alone. */
  @Test
  void resultsWithPicturesAreTheUsers() {
    Picture picture = Picture.png(new BufferedImage(2, 2, BufferedImage.TYPE_INT_RGB));
    JsonArray sent =
        sent(
            List.of(CALCULATOR),
            ASKED,
            said(CALL.formatted("1 + 2")),
            result("3").showing(picture),
            result("4"));
    assertEquals(3, sent.size());
    JsonObject last = sent.get(2).getAsJsonObject();
    assertEquals("user", last.get("role").getAsString());
    JsonArray parts = last.getAsJsonArray("content");
    assertEquals("image_url", parts.get(1).getAsJsonObject().get("type").getAsString());
    StringBuilder text = new StringBuilder();
    for (JsonElement part : parts) {
      JsonElement said = part.getAsJsonObject().get("text");
      text.append(said == null ? "[picture]" : said.getAsString());
    }
    assertEquals(
        """
        <tool_response>
        [picture]3
        </tool_response>
        <tool_response>
        4
        </tool_response>\
        """,
        text.toString());
  }

  @Test
  void besidePicturesOfTheUserTheyGoAsTheProtocolHasThem() {
    Picture picture = Picture.png(new BufferedImage(2, 2, BufferedImage.TYPE_INT_RGB));
    JsonArray sent =
        sent(
            List.of(CALCULATOR),
            ASKED.showing(picture),
            said(CALL.formatted("1 + 2")),
            result("3"));
    assertEquals(2, sent.get(0).getAsJsonObject().getAsJsonArray("content").size());
    assertEquals("tool", sent.get(2).getAsJsonObject().get("role").getAsString());
  }
}

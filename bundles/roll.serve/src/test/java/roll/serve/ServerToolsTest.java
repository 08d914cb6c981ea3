package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of tools in answers. */
class ServerToolsTest extends ServerKit {
  private static final String WEATHER =
      """
      [{"type":"function","function":{"name":"weather","description":"Weather",
        "parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}]\
      """;

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
}

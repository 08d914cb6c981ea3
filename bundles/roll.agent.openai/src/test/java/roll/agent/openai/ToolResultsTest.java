package roll.agent.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.util.List;
import org.junit.jupiter.api.Test;
import roll.api.data.Message;
import roll.api.rollout.AgentTurn;
import roll.api.strategy.Sampling;

/** What tools said, as an endpoint takes it that saw their calls as text. */
class ToolResultsTest {
  private static JsonElement sent(Message... messages) {
    AgentTurn turn = new AgentTurn(List.of(messages), new World(List.of()), Sampling.of(8), 0, 1);
    return ChatRequest.of("m", turn, List.of()).get("messages");
  }

  @Test
  void resultsOfOneMessageAreOneMessageOfTheUser() {
    assertEquals(
        JsonParser.parseString(
            "[{\"role\":\"user\",\"content\":\"1 + 2?\"},"
                + "{\"role\":\"assistant\",\"content\":\"call\"},"
                + "{\"role\":\"user\",\"content\":\"<tool_response>\\n3\\n</tool_response>\\n"
                + "<tool_response>\\n4\\n</tool_response>\"},"
                + "{\"role\":\"assistant\",\"content\":\"3\"}]"),
        sent(
            new Message("user", "1 + 2?"),
            new Message("assistant", "call"),
            new Message("tool", "3", "calculator"),
            new Message("tool", "4", "calculator"),
            new Message("assistant", "3")));
  }

  @Test
  void resultsOfTwoMessagesStayApart() {
    assertEquals(
        JsonParser.parseString(
            "[{\"role\":\"user\",\"content\":\"<tool_response>\\na\\n</tool_response>\"},"
                + "{\"role\":\"assistant\",\"content\":\"x\"},"
                + "{\"role\":\"user\",\"content\":\"<tool_response>\\nb\\n</tool_response>\"}]"),
        sent(
            new Message("tool", "a", "t"),
            new Message("assistant", "x"),
            new Message("tool", "b", "t")));
  }
}

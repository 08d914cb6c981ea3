package roll.agent.openai;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.List;
import roll.api.rollout.AgentTurn;
import roll.api.strategy.Sampling;
import roll.api.tool.ToolSchema;

/** Creates the request of a turn. */
final class TurnRequest {
  private static final Gson GSON = new Gson();

  private TurnRequest() {}

  /**
   * Returns the body: messages with their pictures, temperature, top-p, length, stop strings and
   * seed.
   *
   * @param tools tools to send as a field; may be empty
   */
  static JsonObject of(String model, AgentTurn turn, List<ToolSchema> tools) {
    JsonObject body = new JsonObject();
    body.addProperty("model", model);
    body.add("messages", messages(turn, !tools.isEmpty()));
    if (!tools.isEmpty()) {
      body.add("tools", GSON.toJsonTree(tools.stream().map(ToolSchema::listed).toList()));
    }
    Sampling sampling = turn.sampling();
    body.addProperty("temperature", sampling.temperature());
    body.addProperty("top_p", sampling.topP());
    body.addProperty("max_tokens", sampling.maxNewTokens());
    if (!sampling.stopStrings().isEmpty()) {
      JsonArray stops = new JsonArray();
      sampling.stopStrings().forEach(stops::add);
      body.add("stop", stops);
    }
    body.addProperty("seed", turn.seed() >>> 33);
    return body;
  }

  /**
   * Returns the messages of the turn request. A tool result with a picture must be text, since only
   * user messages may have pictures.
   */
  private static JsonArray messages(AgentTurn turn, boolean toolsAreSent) {
    boolean shown =
        turn.messages().stream()
            .anyMatch(message -> message.role().equals("tool") && !message.pictures().isEmpty());
    return toolsAreSent && !shown
        ? ChatHistoryEncoder.withCalls(turn.messages())
        : ChatHistoryEncoder.asText(turn.messages());
  }
}

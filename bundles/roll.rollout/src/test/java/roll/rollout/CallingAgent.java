package roll.rollout;

import java.util.List;
import java.util.Map;
import roll.api.agent.Reply;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;
import roll.testkit.AnswerAgentType;

/** Calls the tool in every message. */
class CallingAgent extends AnswerAgentType {
  @Override
  public Reply read(String response, List<ToolSchema> tools) {
    return Reply.calling(List.of(ToolCall.of("evil", Map.of())));
  }
}

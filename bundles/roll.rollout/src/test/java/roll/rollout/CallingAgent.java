package roll.rollout;

import java.util.List;
import java.util.Map;
import roll.api.agent.AgentType;
import roll.api.agent.Reply;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;

/** Calls the tool in every message. */
class CallingAgent implements AgentType {
  @Override
  public String description() {
    return "calls";
  }

  @Override
  public boolean listsTools() {
    return false;
  }

  @Override
  public String instruction(List<ToolSchema> tools) {
    return "Call.";
  }

  @Override
  public Reply read(String response, List<ToolSchema> tools) {
    return Reply.calling(List.of(ToolCall.of("evil", Map.of())));
  }

  @Override
  public String write(String thought, List<ToolCall> calls) {
    return "call";
  }
}

package roll.testkit;

import java.util.List;
import roll.api.agent.AgentType;
import roll.api.agent.Reply;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;

/** An agent type without calls, for tests: every response is the final answer. */
public class AnswerAgentType implements AgentType {
  @Override
  public String description() {
    return "for tests";
  }

  @Override
  public boolean listsTools() {
    return false;
  }

  @Override
  public String instruction(List<ToolSchema> tools) {
    return "";
  }

  @Override
  public Reply read(String response, List<ToolSchema> tools) {
    return Reply.ANSWER;
  }

  @Override
  public String write(String thought, List<ToolCall> calls) {
    return thought;
  }
}

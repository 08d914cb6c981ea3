package roll.agent.types;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Component;
import roll.api.agent.AgentType;
import roll.api.agent.Reply;
import roll.api.agent.RollAgentType;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;

/**
 * The format of Hermes, Qwen and many other models: the chat template lists the tools, and a
 * message has any number of calls in {@code <tool_call>} tags.
 */
@Component(name = "roll.agent.types.hf")
@RollAgentType("hf")
public final class HfAgent implements AgentType {
  @Override
  public String description() {
    return "Any number of calls, each as JSON between <tool_call> and </tool_call>; the chat"
        + " template lists the tools.";
  }

  @Override
  public boolean listsTools() {
    return true;
  }

  @Override
  public String instruction(List<ToolSchema> tools) {
    return "";
  }

  @Override
  public Reply read(String response, List<ToolSchema> tools) {
    return Reply.calling(ToolCallTags.read(response, Integer.MAX_VALUE));
  }

  @Override
  public String write(String thought, List<ToolCall> calls) {
    Stream<String> said = thought.isEmpty() ? Stream.empty() : Stream.of(thought);
    return Stream.concat(said, calls.stream().map(ToolCallTags::write))
        .collect(Collectors.joining("\n"));
  }
}

package roll.agent.types;

import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.api.agent.AgentType;
import roll.api.agent.Reply;
import roll.api.agent.RollAgentType;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;
import roll.text.call.HermesParser;
import roll.text.call.ThinkTags;

/**
 * Thinks between {@code <think>} and {@code </think>}, then makes one call in {@code <tool_call>}
 * tags, which ends the message. What looks like a call while it thinks is none; without thoughts
 * the whole message counts.
 */
@Component(name = "roll.agent.types.think")
@RollAgentType("think")
public final class ThinkAgent implements AgentType {
  @Override
  public String description() {
    return "Thinks between <think> and </think>, then makes one call between <tool_call> and"
        + " </tool_call>; the chat template lists the tools.";
  }

  @Override
  public boolean listsTools() {
    return true;
  }

  @Override
  public String instruction(List<ToolSchema> tools) {
    return "Think first, between <think> and </think>. Then either call one tool, or give the"
        + " answer.";
  }

  @Override
  public Reply read(String response, List<ToolSchema> tools) {
    return Reply.calling(ToolCallTags.read(response, 1));
  }

  /** Keeps a response up to the end of its tool call. */
  @Override
  public int kept(String response) {
    return SingleCallMessage.kept(response, HermesParser.firstEnd(response));
  }

  /** Writes a message with one call; without any, the thought alone, unchanged. */
  @Override
  public String write(String thought, List<ToolCall> calls) {
    return SingleCallMessage.of(calls)
        .map(
            call ->
                ThinkTags.OPEN
                    + "\n"
                    + thought
                    + "\n"
                    + ThinkTags.CLOSE
                    + "\n\n"
                    + ToolCallTags.write(call))
        .orElse(thought);
  }
}

package roll.agent.types;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.osgi.service.component.annotations.Component;
import roll.api.agent.AgentType;
import roll.api.agent.Reply;
import roll.api.agent.RollAgentType;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;

/**
 * Says one action on a screen, as UI-TARS does: the action is the answer and ends the episode; what
 * cannot be read is no action. The text part only: no picture is sent and nothing is clicked.
 */
@Component(name = "roll.agent.types.gui")
@RollAgentType("gui")
public final class GuiAgent implements AgentType {
  private static final Pattern ACTION = Pattern.compile("(?i)\\baction[ \\t]*:(?=\\s*\\w+\\s*\\()");
  private static final Reply NONE = new Reply(List.of(), false);

  @Override
  public String description() {
    return "One action on a screen as the lines Thought: and Action:, which is the answer.";
  }

  @Override
  public boolean listsTools() {
    return false;
  }

  /** The actions there are; tools are not called. */
  @Override
  public String instruction(List<ToolSchema> tools) {
    return """
    You operate a screen. Answer with these two lines and nothing else:
    Thought: what you think
    Action: one action
    The actions are:
    click(start_box='(x,y)')
    left_double(start_box='(x,y)')
    right_single(start_box='(x,y)')
    drag(start_box='(x,y)', end_box='(x,y)')
    hotkey(key='ctrl c')
    type(content='text')
    scroll(start_box='(x,y)', direction='down')
    wait()
    finished(content='text')
    call_user()\
    """;
  }

  @Override
  public Reply read(String response, List<ToolSchema> tools) {
    Matcher action = ACTION.matcher(response);
    Optional<ToolCall> call =
        action.find() ? GuiAction.read(response.substring(action.end())) : Optional.empty();
    return call.map(made -> new Reply(List.of(made), false)).orElse(NONE);
  }

  /** A message with one action; without any the thought alone, as it is. */
  @Override
  public String write(String thought, List<ToolCall> calls) {
    return Single.of(calls)
        .map(call -> "Thought: " + thought + "\nAction: " + GuiAction.write(call))
        .orElse(thought);
  }
}

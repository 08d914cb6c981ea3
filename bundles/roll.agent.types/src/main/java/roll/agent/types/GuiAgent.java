package roll.agent.types;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.api.agent.AgentType;
import roll.api.agent.Reply;
import roll.api.agent.RollAgentType;
import roll.api.image.PictureScale;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;

/**
 * One action on a screen per message, as in UI-TARS. The action is the answer, which the
 * environment executes. Coordinates of the model refer to the resized picture that it sees; the
 * environment receives them in pixels of the original picture. An unreadable action is no action.
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

  /** Returns the list of actions; tools are not called. */
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

  @Override
  public boolean pointsAtPictures() {
    return true;
  }

  /** Returns the response with coordinates in pixels of the picture; the thought is unchanged. */
  @Override
  public String answer(String response, @Nullable PictureScale scale) {
    Matcher action = ACTION.matcher(response);
    if (scale == null || scale.isOne() || !action.find()) {
      return response;
    }
    return GuiAction.read(response.substring(action.end()))
        .map(call -> GuiAction.scaled(call, scale))
        .map(call -> response.substring(0, action.end()) + " " + GuiAction.write(call))
        .orElse(response);
  }

  /** Returns a message with one action; without one the thought, unchanged. */
  @Override
  public String write(String thought, List<ToolCall> calls) {
    return SingleCallMessage.of(calls)
        .map(call -> "Thought: " + thought + "\nAction: " + GuiAction.write(call))
        .orElse(thought);
  }
}

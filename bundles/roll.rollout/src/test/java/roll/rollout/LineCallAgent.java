package roll.rollout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import roll.api.agent.AgentType;
import roll.api.agent.Reply;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;

/**
 * Calls are lines {@code tool: text}; whatever else a message says is no call. A line of dashes and
 * what follows are not kept.
 *
 * @param listsTools whether the chat template tells the tools too
 */
@NullMarked
public record LineCallAgent(boolean listsTools) implements AgentType {
  /** The instruction alone tells the tools. */
  public LineCallAgent() {
    this(false);
  }

  @Override
  public String description() {
    return "a line a call";
  }

  @Override
  public String instruction(List<ToolSchema> tools) {
    return "Tools: " + tools.stream().map(ToolSchema::name).collect(Collectors.joining(" "));
  }

  @Override
  public Reply read(String response, List<ToolSchema> tools) {
    List<ToolCall> calls = new ArrayList<>();
    for (String line : response.lines().toList()) {
      int colon = line.indexOf(": ");
      if (colon > 0) {
        calls.add(ToolCall.of(line.substring(0, colon), Map.of("text", line.substring(colon + 2))));
      }
    }
    return Reply.calling(calls);
  }

  @Override
  public int kept(String response) {
    int dashes = response.indexOf("\n---");
    return dashes < 0 ? response.length() : dashes;
  }

  @Override
  public String write(String thought, List<ToolCall> calls) {
    return calls.stream()
        .map(call -> call.tool() + ": " + call.arguments().get("text"))
        .collect(Collectors.joining("\n"));
  }
}

package roll.itests.swap;

import java.util.List;
import java.util.Map;
import org.osgi.framework.FrameworkUtil;
import roll.api.agent.AgentType;
import roll.api.agent.Reply;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;

/**
 * Wraps an agent type and parses every message as a call of the first tool, with the version of
 * this class's bundle as its {@code expression}.
 */
public final class StampedAgent implements AgentType {
  private final AgentType hermes;
  private final int version;

  /** Wraps {@code hermes} with the version of this class's bundle. */
  public StampedAgent(AgentType hermes) {
    this.hermes = hermes;
    this.version = FrameworkUtil.getBundle(StampedAgent.class).getVersion().getMicro();
  }

  @Override
  public String description() {
    return hermes.description();
  }

  @Override
  public boolean listsTools() {
    return hermes.listsTools();
  }

  @Override
  public String instruction(List<ToolSchema> tools) {
    return hermes.instruction(tools);
  }

  @Override
  public Reply read(String response, List<ToolSchema> tools) {
    Map<String, String> arguments = Map.of("expression", version - 1 + " + 1");
    return Reply.calling(List.of(ToolCall.of(tools.getFirst().name(), arguments)));
  }

  @Override
  public String write(String thought, List<ToolCall> calls) {
    return hermes.write(thought, calls);
  }
}

package roll.itests.swap;

import java.util.List;
import java.util.Map;
import org.osgi.framework.FrameworkUtil;
import roll.api.agent.AgentType;
import roll.api.agent.Reply;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;

/**
 * An agent type as another one, that takes every message for a call of the first tool: with an
 * {@code expression} whose value is the version of the bundle that it was read with.
 */
public final class StampedAgent implements AgentType {
  private final AgentType hermes;
  private final int version;

  /** As {@code hermes}, by the version of the bundle of this class. */
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

package roll.api.agent;

import java.util.List;
import roll.api.config.AgentConfig;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSet;

/**
 * The tools of an agent and the format of their calls, shared by all episodes of a rollout.
 *
 * @param config limits
 * @param type format of tool calls
 * @param sets the tools; names are unique
 */
public record AgentTools(AgentConfig config, AgentType type, List<ToolSet> sets) {
  /** All tools, in the order of the configuration. */
  public List<ToolSchema> tools() {
    return sets.stream().flatMap(set -> set.tools().stream()).toList();
  }

  /** The tools that the chat template lists; empty if the instruction describes them. */
  public List<ToolSchema> listed() {
    return type.listsTools() ? tools() : List.of();
  }
}

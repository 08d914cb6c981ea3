package roll.api.agent;

import java.util.List;
import roll.api.config.AgentConfig;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSet;

/**
 * What an agent that calls tools is made of; shared by all episodes of a rollout.
 *
 * @param config limits
 * @param type how it talks
 * @param sets its tools, no two of the same name
 */
public record AgentTools(AgentConfig config, AgentType type, List<ToolSet> sets) {
  /** All tools, in the order of the configuration. */
  public List<ToolSchema> tools() {
    return sets.stream().flatMap(set -> set.tools().stream()).toList();
  }

  /** Those that the chat template lists; none where the instruction tells of them. */
  public List<ToolSchema> listed() {
    return type.listsTools() ? tools() : List.of();
  }
}

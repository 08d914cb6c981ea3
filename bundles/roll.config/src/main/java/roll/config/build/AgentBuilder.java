package roll.config.build;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.config.AgentConfig;
import roll.api.option.UserException;
import roll.config.schema.Section;
import roll.config.tree.YamlTree;
import roll.text.Suggestion;

/** The section {@code agent} of a custom environment. */
final class AgentBuilder {
  private AgentBuilder() {}

  /**
   * Builds the tool use of {@code environment}, or null if it has no such section.
   *
   * @throws UserException if a tool is named twice, or has options and is not named
   */
  static @Nullable AgentConfig of(Section environment) {
    if (!environment.has("agent")) {
      return null;
    }
    Section agent = environment.section("agent");
    return new AgentConfig(
        agent.text("agent_type").toLowerCase(Locale.ROOT),
        tools(agent),
        agent.integer("max_tool_calls"),
        agent.integer("max_parallel_calls"),
        agent.flag("parallel_tool_calls"),
        agent.number("tool_timeout"),
        agent.integer("max_tool_response_length"),
        AgentConfig.Side.valueOf(
            agent.text("tool_response_truncate_side").toUpperCase(Locale.ROOT)));
  }

  private static Map<String, Map<String, Object>> tools(Section agent) {
    Map<String, Object> options = agent.mapping("tool_config");
    Map<String, Map<String, Object>> tools = new LinkedHashMap<>();
    List<String> names = agent.names("tools");
    for (String name : names) {
      if (tools.putIfAbsent(name, options(agent, name, options.get(name))) != null) {
        throw new UserException(agent.where("tools") + ": '" + name + "' is named twice");
      }
    }
    for (String name : options.keySet()) {
      if (!tools.containsKey(name)) {
        throw new UserException(
            agent.where("tool_config")
                + "."
                + name
                + ": no such tool is named in tools (found: "
                + String.join(", ", names)
                + ")"
                + Suggestion.near(name, names));
      }
    }
    return tools;
  }

  private static Map<String, Object> options(Section agent, String tool, @Nullable Object given) {
    Map<String, @Nullable Object> mapping = YamlTree.mapping(given);
    if (mapping == null && given != null) {
      throw new UserException(
          agent.where("tool_config")
              + "."
              + tool
              + ": expected a mapping, found "
              + YamlTree.shown(given));
    }
    return YamlTree.withoutNulls(mapping);
  }
}

package roll.config.roll;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.tree.YamlTree;
import roll.runtime.dialect.ConfigDraft;
import roll.text.Suggestion;

/**
 * A {@code tool_wrapper} of ROLL, with this project's names.
 *
 * @param agent the section {@code agent}
 * @param reward options of the reward {@code tool_use}; empty where calls earn nothing
 * @param notices lines for the user
 */
record ToolWrapper(
    Map<String, @Nullable Object> agent,
    Map<String, @Nullable Object> reward,
    List<String> notices) {
  private static final String ARGS = "wrapper_args";
  private static final String CONFIGS = "tool_configs";
  private static final String MOST = "max_tool_uses";

  /** ROLL's arguments that are rewards, and the options of {@code tool_use}. */
  private static final Map<String, String> REWARDS =
      Map.of(
          "tool_reward", "per_call",
          "tool_success_reward", "per_success",
          "tool_execute_error_reward", "per_error");

  /** ROLL's default maximum number of tool uses. */
  private static final int STANDARD_USES = 10;

  /**
   * Reads the tool wrapper {@code wrapper} of a ROLL configuration.
   *
   * @param path where it stands
   * @throws UserException naming what is wrong, or cannot be had here and what to say instead
   */
  static ToolWrapper of(String path, Map<String, @Nullable Object> wrapper, ConfigDraft draft) {
    Reader reader = new Reader(draft);
    reader.only(path, wrapper, Set.of(ARGS, CONFIGS));
    Map<String, @Nullable Object> args = reader.mapping(path + "." + ARGS, wrapper.get(ARGS));
    Map<String, @Nullable Object> agent = new LinkedHashMap<>();
    WrappedTool tool = reader.tool(path + "." + CONFIGS, wrapper.get(CONFIGS));
    agent.put("agent_type", tool.agentType());
    agent.put("tools", List.of(tool.name()));
    agent.put("tool_config", Map.of(tool.name(), tool.options()));
    Set<String> known = new TreeSet<>(REWARDS.keySet());
    known.add(MOST);
    reader.only(path + "." + ARGS, args, known);
    agent.put("max_tool_calls", reader.uses(path + "." + ARGS + "." + MOST, args));
    Map<String, @Nullable Object> reward = new LinkedHashMap<>();
    REWARDS.forEach(
        (theirs, ours) -> {
          double value = reader.number(path + "." + ARGS + "." + theirs, args.get(theirs));
          if (value != 0) {
            reward.put(ours, value);
          }
        });
    return new ToolWrapper(agent, reward, tool.notices());
  }

  /** Reads the keys of a tool wrapper; errors name the place of the key. */
  private record Reader(ConfigDraft draft) {
    Map<String, @Nullable Object> mapping(String path, @Nullable Object value) {
      if (value == null) {
        return Map.of();
      }
      Map<String, @Nullable Object> mapping = YamlTree.mapping(value);
      if (mapping == null) {
        throw draft.wrong(path, "expected a mapping, found " + YamlTree.shown(value));
      }
      return mapping;
    }

    void only(String path, Map<String, @Nullable Object> mapping, Set<String> known) {
      for (String key : mapping.keySet()) {
        if (!known.contains(key)) {
          String at = path + "." + key;
          throw new UserException(
              draft.where(at) + ": unknown key '" + at + "'" + Suggestion.near(key, known));
        }
      }
    }

    double number(String path, @Nullable Object value) {
      if (value == null) {
        return 0;
      }
      if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
        return number.doubleValue();
      }
      throw draft.wrong(path, "expected a number, found " + YamlTree.shown(value));
    }

    /** Returns the maximum number of tool uses; 0, no limit, if none is set. */
    int uses(String path, Map<String, @Nullable Object> args) {
      if (!args.containsKey(MOST)) {
        return STANDARD_USES;
      }
      Object value = args.get(MOST);
      if (value == null) {
        return 0;
      }
      if (value instanceof Integer uses && uses > 0) {
        return uses;
      }
      throw draft.wrong(path, "expected an integer of at least 1, found " + YamlTree.shown(value));
    }

    WrappedTool tool(String path, @Nullable Object value) {
      List<@Nullable Object> list = YamlTree.list(value);
      if (list == null || list.size() != 1) {
        throw draft.wrong(
            path,
            "expected a list of one tool (tool_id python_code, mcp or search); for more name"
                + " custom_envs.<tag>.agent.tools");
      }
      Map<String, @Nullable Object> tool = mapping(path, list.getFirst());
      only(path, tool, Set.of("tool_id", "tool_args"));
      return WrappedTool.of(
          tool.get("tool_id"),
          mapping(path + ".tool_args", tool.get("tool_args")),
          problem -> draft.wrong(path, problem));
    }
  }
}

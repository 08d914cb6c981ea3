package roll.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.tree.Origins;
import roll.config.tree.Tree;
import roll.text.Suggestion;

/**
 * A {@code tool_wrapper} of ROLL, in our words.
 *
 * @param agent the section {@code agent}
 * @param reward options of the reward {@code tool_use}; empty where calls earn nothing
 * @param passedOver options of tools that mean nothing here
 */
record ToolWrapper(
    Map<String, @Nullable Object> agent,
    Map<String, @Nullable Object> reward,
    List<String> passedOver) {
  private static final String ARGS = "wrapper_args";
  private static final String CONFIGS = "tool_configs";
  private static final String MOST = "max_tool_uses";

  /** ROLL's arguments that are rewards, and the options of {@code tool_use}. */
  private static final Map<String, String> REWARDS =
      Map.of(
          "tool_reward", "per_call",
          "tool_success_reward", "per_success",
          "tool_execute_error_reward", "per_error");

  private static final Set<String> NO_EFFECT = Set.of("sandbox_type", "keep_error_last_line");

  /** How often ROLL lets tools be used where nothing is said. */
  private static final int STANDARD_USES = 10;

  /**
   * Reads {@code wrapper}.
   *
   * @param path where it stands
   * @throws UserException naming what is wrong, or cannot be had here and what to say instead
   */
  static ToolWrapper of(String path, Map<String, @Nullable Object> wrapper, Origins origins) {
    Reader reader = new Reader(origins);
    reader.only(path, wrapper, Set.of(ARGS, CONFIGS));
    Map<String, @Nullable Object> args = reader.mapping(path + "." + ARGS, wrapper.get(ARGS));
    Map<String, @Nullable Object> agent = new LinkedHashMap<>();
    reader.tools(path + "." + CONFIGS, wrapper.get(CONFIGS), agent);
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
    return new ToolWrapper(agent, reward, List.copyOf(reader.passedOver));
  }

  /** Complains about what it reads where it was written. */
  private record Reader(Origins origins, List<String> passedOver) {
    Reader(Origins origins) {
      this(origins, new ArrayList<>());
    }

    UserException wrong(String path, String problem) {
      return new UserException(origins.of(path) + ": " + path + ": " + problem);
    }

    Map<String, @Nullable Object> mapping(String path, @Nullable Object value) {
      if (value == null) {
        return Map.of();
      }
      Map<String, @Nullable Object> mapping = Tree.mapping(value);
      if (mapping == null) {
        throw wrong(path, "expected a mapping, found " + Tree.shown(value));
      }
      return mapping;
    }

    void only(String path, Map<String, @Nullable Object> mapping, Set<String> known) {
      for (String key : mapping.keySet()) {
        if (!known.contains(key)) {
          String at = path + "." + key;
          throw new UserException(
              origins.of(at) + ": unknown key '" + at + "'" + Suggestion.near(key, known));
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
      throw wrong(path, "expected a number, found " + Tree.shown(value));
    }

    /** As often as is said; 0, which is no limit here, where that is nothing. */
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
      throw wrong(path, "expected an integer of at least 1, found " + Tree.shown(value));
    }

    void tools(String path, @Nullable Object value, Map<String, @Nullable Object> agent) {
      List<@Nullable Object> list = Tree.list(value);
      if (list == null || list.size() != 1) {
        throw wrong(
            path,
            "expected a list of one tool, tool_id python_code; for others name"
                + " custom_envs.<tag>.agent.tools");
      }
      Map<String, @Nullable Object> tool = mapping(path, list.getFirst());
      only(path, tool, Set.of("tool_id", "tool_args"));
      if (!"python_code".equals(tool.get("tool_id"))) {
        throw wrong(path, instead(tool.get("tool_id")));
      }
      agent.put("agent_type", "code");
      agent.put("tools", List.of("code_interpreter"));
      Map<String, @Nullable Object> args = mapping(path + ".tool_args", tool.get("tool_args"));
      Map<String, @Nullable Object> options = new LinkedHashMap<>();
      args.forEach(
          (name, option) -> {
            if (name.equals("timeout")) {
              options.put("time_limit", option);
            } else if (NO_EFFECT.contains(name)) {
              passedOver.add(name);
            } else {
              throw wrong(
                  path,
                  "tool_args."
                      + name
                      + " of python_code is not known (allowed: timeout, "
                      + String.join(", ", new TreeSet<>(NO_EFFECT))
                      + ")");
            }
          });
      agent.put("tool_config", Map.of("code_interpreter", options));
    }

    private static String instead(@Nullable Object tool) {
      return switch (String.valueOf(tool)) {
        case "search" ->
            "tool_id search asks a server, here an index of files is searched: agent: {tools:"
                + " [search], tool_config: {search: {files: …}}}";
        case "mcp" -> "tool_id mcp is said as agent: {tools: [mcp], tool_config: {mcp: {url: …}}}";
        default ->
            "tool_id: expected python_code, found "
                + Tree.shown(tool)
                + "; for other tools name custom_envs.<tag>.agent.tools";
      };
    }
  }
}

package roll.config;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.tree.Origins;
import roll.config.tree.Tree;

/**
 * Translates ROLL's custom environments: the two texts around an observation become one template, a
 * wrapper of tools becomes an agent with tools and a reward for their use, types that ROLL or GEM
 * has become ours.
 */
final class RollEnvironments {
  private static final String BEFORE = "pre_step_template";
  private static final String AFTER = "next_step_template";
  private static final String TEMPLATE = "agent_template";
  private static final String WRAPPER = "tool_wrapper";

  private final Map<String, @Nullable Object> tree;
  private final Origins origins;
  private final Set<String> notices = new LinkedHashSet<>();

  /** For a configuration whose references are resolved; it is changed. */
  RollEnvironments(Map<String, @Nullable Object> tree, Origins origins) {
    this.tree = tree;
    this.origins = origins;
  }

  /**
   * Replaces ROLL's keys by ours; a value of the wrong type remains and is refused by the schema.
   *
   * @return lines for the user
   * @throws UserException naming the first key that cannot be translated
   */
  List<String> translate() {
    Map<String, @Nullable Object> all = Tree.mapping(tree.get("custom_envs"));
    if (all != null) {
      all.forEach(
          (tag, value) -> {
            Map<String, @Nullable Object> environment = Tree.mapping(value);
            if (environment != null) {
              String path = "custom_envs." + tag + ".";
              template(path, environment);
              tools(path, environment);
              AgentRunner.translate(path, environment, origins, notices);
              GemWorlds.translate(path, environment, origins, notices);
              NativeSokoban.translate(path, environment, origins, notices);
              RollDataSets.translate(path, environment, origins, notices);
            }
          });
    }
    return List.copyOf(notices);
  }

  private void template(String path, Map<String, @Nullable Object> environment) {
    Object before = Objects.requireNonNullElse(environment.get(BEFORE), "");
    Object after = Objects.requireNonNullElse(environment.get(AFTER), "");
    if (!(before instanceof String prefix && after instanceof String suffix)) {
      return;
    }
    if (prefix.isEmpty() && suffix.isEmpty()) {
      environment.remove(BEFORE);
      environment.remove(AFTER);
      return;
    }
    if (environment.get(TEMPLATE) != null) {
      String key = prefix.isEmpty() ? AFTER : BEFORE;
      throw new UserException(
          "%s: %s: %s is the whole message of a turn; give it, or %s and %s around the observation"
              .formatted(origins.of(path + key), path + key, TEMPLATE, BEFORE, AFTER));
    }
    environment.remove(BEFORE);
    environment.remove(AFTER);
    environment.put(TEMPLATE, prefix + "{observation}" + suffix);
    notices.add(
        "custom_envs.*.%s and %s are read as %s, with the observation between them"
            .formatted(BEFORE, AFTER, TEMPLATE));
  }

  private void tools(String path, Map<String, @Nullable Object> environment) {
    Map<String, @Nullable Object> wrapper = Tree.mapping(environment.get(WRAPPER));
    if (wrapper == null) {
      return;
    }
    ToolWrapper read = ToolWrapper.of(path + WRAPPER, wrapper, origins);
    if (environment.get("agent") != null) {
      throw new UserException(
          "%s: %s: agent says already which tools there are; give one of the two"
              .formatted(origins.of(path + WRAPPER), path + WRAPPER));
    }
    environment.remove(WRAPPER);
    environment.put("agent", read.agent());
    if (!read.reward().isEmpty()) {
      Map<String, @Nullable Object> rewards = new LinkedHashMap<>();
      Map<String, @Nullable Object> given = Tree.mapping(environment.get("rewards"));
      if (given != null) {
        rewards.putAll(given);
      }
      rewards.put("tool_use", read.reward());
      environment.put("rewards", rewards);
    }
    notices.add(
        "custom_envs.*.%s is read as agent and rewards.tool_use: the rewards of calls come at the end of the episode"
            .formatted(WRAPPER));
    notices.addAll(read.notices());
  }
}

package roll.config.roll;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.tree.YamlTree;
import roll.runtime.dialect.ConfigDraft;

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

  private RollEnvironments() {}

  /**
   * Replaces ROLL's keys by ours; a value of the wrong type remains and is refused by the schema.
   *
   * @throws UserException naming the first key that cannot be translated
   */
  static void translate(ConfigDraft draft) {
    Set<String> notices = new LinkedHashSet<>();
    Map<String, @Nullable Object> all = YamlTree.mapping(draft.tree().get("custom_envs"));
    if (all != null) {
      all.forEach(
          (tag, value) -> {
            Map<String, @Nullable Object> keys = YamlTree.mapping(value);
            if (keys != null) {
              var environment =
                  new EnvironmentSection("custom_envs." + tag + ".", keys, draft, notices);
              template(environment);
              tools(environment);
              AgentRunner.translate(environment);
              GemEnvironments.translate(environment);
              NativeSokoban.translate(environment);
              RollDataSets.translate(environment);
            }
          });
    }
    notices.forEach(draft::notice);
  }

  private static void template(EnvironmentSection environment) {
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
      throw environment.wrong(
          key,
          "%s is the whole message of a turn; give it, or %s and %s around the observation"
              .formatted(TEMPLATE, BEFORE, AFTER));
    }
    environment.remove(BEFORE);
    environment.remove(AFTER);
    environment.put(TEMPLATE, prefix + "{observation}" + suffix);
    environment
        .notices()
        .add(
            "custom_envs.*.%s and %s are read as %s, with the observation between them"
                .formatted(BEFORE, AFTER, TEMPLATE));
  }

  private static void tools(EnvironmentSection environment) {
    Map<String, @Nullable Object> wrapper = environment.mapping(WRAPPER);
    if (wrapper == null) {
      return;
    }
    ToolWrapper read = ToolWrapper.of(environment.path() + WRAPPER, wrapper, environment.draft());
    if (environment.get("agent") != null) {
      throw environment.wrong(
          WRAPPER, "agent says already which tools there are; give one of the two");
    }
    environment.remove(WRAPPER);
    environment.put("agent", read.agent());
    if (!read.reward().isEmpty()) {
      Map<String, @Nullable Object> rewards = new LinkedHashMap<>();
      Map<String, @Nullable Object> given = environment.mapping("rewards");
      if (given != null) {
        rewards.putAll(given);
      }
      rewards.put("tool_use", read.reward());
      environment.put("rewards", rewards);
    }
    environment
        .notices()
        .add(
            "custom_envs.*.%s is read as agent and rewards.tool_use: the rewards of calls come at the end of the episode"
                .formatted(WRAPPER));
    environment.notices().addAll(read.notices());
  }
}

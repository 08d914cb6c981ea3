package roll.config.roll;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.tree.YamlTree;

/**
 * ROLL's {@code sokoban_native_env}, Sokoban that writes the messages of its conversation itself:
 * {@code sokoban} with two templates that say the same.
 */
final class NativeSokoban {
  private static final String TYPE = "sokoban_native_env";

  /** ROLL's default options of a Sokoban room. */
  private static final Map<String, Object> STANDARDS =
      Map.of("dim_room", List.of(6, 6), "num_boxes", 1, "format_penalty", -0.1, "max_steps", 10);

  private static final String SYSTEM = "system_template";
  private static final String SUFFIX = "observation_suffix";
  private static final String PLAYER = "You play Sokoban, and want as much reward as possible.";
  private static final String REMINDER =
      "Write your next action, and nothing else, between <answer> and </answer>.";

  /** Keys of ROLL's Sokoban implementation that have no effect here. */
  private static final List<String> IDLE = List.of("group_id", "num_env_groups", "mode", "debug");

  private NativeSokoban() {}

  /**
   * Replaces type, options and templates of {@code environment} if it is ROLL's native Sokoban.
   *
   * @throws UserException if a text of the messages is none
   */
  static void translate(EnvironmentSection environment) {
    Object given = environment.get("env_config");
    Map<String, @Nullable Object> options = YamlTree.mapping(given == null ? Map.of() : given);
    if (!TYPE.equals(environment.get("env_type")) || options == null) {
      return;
    }
    Map<String, @Nullable Object> room = new LinkedHashMap<>(options);
    IDLE.forEach(room::remove);
    String system = text(environment, room, SYSTEM, PLAYER);
    String suffix = text(environment, room, SUFFIX, REMINDER);
    STANDARDS.forEach(room::putIfAbsent);
    environment.put("env_type", "sokoban");
    environment.put("env_config", room);
    environment.put("agent_system_template", system);
    environment.put(
        "agent_template",
        "Current state:\n{observation}\n\n" + suffix.replace("{", "{{").replace("}", "}}"));
    environment
        .notices()
        .add(
            "custom_envs.*.env_type %s is read as sokoban; its messages are agent_system_template and agent_template, in place of what was written there, which ROLL does not read either"
                .formatted(TYPE));
  }

  private static String text(
      EnvironmentSection environment,
      Map<String, @Nullable Object> options,
      String key,
      String standard) {
    Object value = options.remove(key);
    if (value != null && !(value instanceof String)) {
      throw environment.wrong(
          "env_config." + key, "expected a text, found " + YamlTree.shown(value));
    }
    return value instanceof String written ? written : standard;
  }
}

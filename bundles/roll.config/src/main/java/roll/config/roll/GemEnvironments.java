package roll.config.roll;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.tree.YamlTree;

/**
 * GEM's games and the generators of Reasoning Gym, which ROLL's files name by GEM's ids: {@code
 * remote} plays them in the user's own Python, where the package {@code gem} must be.
 */
final class GemEnvironments {
  private static final Pattern ID = Pattern.compile("(game|rg):.+");

  /**
   * Names of options of {@code remote}; all others in {@code env_config} are arguments of the
   * environment.
   */
  private static final List<String> REMOTE =
      List.of("python", "folder", "env", "processes", "start_timeout", "limits");

  private static final String TYPE = "env_type";
  private static final String CONFIG = "env_config";

  private GemEnvironments() {}

  /**
   * Replaces type and options of {@code environment} if it is an environment of GEM.
   *
   * @throws UserException if the options are not a mapping
   */
  static void translate(EnvironmentSection environment) {
    if (!(environment.get(TYPE) instanceof String type) || !ID.matcher(type).matches()) {
      return;
    }
    Object given = environment.get(CONFIG);
    Map<String, @Nullable Object> arguments = YamlTree.mapping(given == null ? Map.of() : given);
    if (arguments == null) {
      throw environment.wrong(CONFIG, "expected a mapping, found " + YamlTree.shown(given));
    }
    Map<String, @Nullable Object> options = new LinkedHashMap<>();
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    options.put("gym", "gem/" + type);
    arguments.forEach((key, value) -> (REMOTE.contains(key) ? options : told).put(key, value));
    options.put("options", told);
    environment.put(TYPE, "remote");
    environment.put(CONFIG, options);
    environment
        .notices()
        .add(
            "custom_envs.*.env_type %s is read as remote with gym gem/%s: it is played in Python, where the package gem must be (env_config.python names the interpreter)%s"
                .formatted(
                    type,
                    type,
                    type.startsWith("rg:")
                        ? "; every episode has a data set of its own seed"
                        : ""));
  }
}

package roll.env.terminal.task;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlParseResult;
import roll.api.option.UserException;

/**
 * The parts of {@code task.toml} that matter here. Memory, processors, disk and network are options
 * of the environment instead; Harbor ignores unknown keys.
 *
 * @param image {@code environment.docker_image}, or null
 * @param environment {@code environment.env}
 * @param agentTime {@code agent.timeout_sec}
 * @param verifierTime {@code verifier.timeout_sec}
 * @param verifierEnvironment {@code verifier.env}
 */
record TaskToml(
    @Nullable String image,
    Map<String, String> environment,
    Duration agentTime,
    Duration verifierTime,
    Map<String, String> verifierEnvironment) {
  /** Harbor's default. */
  private static final double SECONDS = 600;

  private static final double MOST_SECONDS = 1e6;

  /**
   * Parses {@code text}.
   *
   * @param file for messages
   * @throws UserException for the first error
   */
  static TaskToml parse(Path file, String text) {
    TomlParseResult toml = Toml.parse(text);
    if (toml.hasErrors()) {
      throw new UserException(file + ": " + toml.errors().getFirst());
    }
    for (String table : List.of("environment", "agent", "verifier")) {
      if (toml.contains(table) && !toml.isTable(table)) {
        throw wrong(file, table, "a table", toml.get(table));
      }
    }
    if (toml.contains("steps")) {
      throw new UserException(file + ": tasks of several steps are not supported");
    }
    if ("separate".equals(toml.get("verifier.environment_mode"))) {
      throw new UserException(file + ": a separate environment for tests is not supported");
    }
    Object image = toml.get("environment.docker_image");
    if (image != null && !(image instanceof String)) {
      throw wrong(file, "environment.docker_image", "a text", image);
    }
    return new TaskToml(
        (String) image,
        variables(file, toml, "environment.env"),
        seconds(file, toml, "agent.timeout_sec"),
        seconds(file, toml, "verifier.timeout_sec"),
        variables(file, toml, "verifier.env"));
  }

  private static Duration seconds(Path file, TomlParseResult toml, String key) {
    Object value = toml.get(key);
    if (value == null) {
      return Duration.ofMillis((long) (SECONDS * 1000));
    }
    if (!(value instanceof Number number)
        || !(number.doubleValue() > 0)
        || number.doubleValue() > MOST_SECONDS) {
      throw wrong(file, key, "seconds, at most 1,000,000", value);
    }
    return Duration.ofMillis(Math.max(1, (long) (number.doubleValue() * 1000)));
  }

  private static Map<String, String> variables(Path file, TomlParseResult toml, String key) {
    Object value = toml.get(key);
    if (value == null) {
      return Map.of();
    }
    if (!(value instanceof org.tomlj.TomlTable table)) {
      throw wrong(file, key, "a table of texts", value);
    }
    Map<String, String> variables = new LinkedHashMap<>();
    for (String name : table.keySet()) {
      Object text = table.get(List.of(name));
      if (!(text instanceof String given) || !name.matches("[A-Za-z_]\\w*")) {
        throw wrong(file, key + "." + name, "a text", text);
      }
      variables.put(name, given);
    }
    return variables;
  }

  private static UserException wrong(
      Path file, String key, String expected, @Nullable Object found) {
    return new UserException(file + ": " + key + ": expected " + expected + ", found " + found);
  }
}

package roll.rollout.program;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import roll.api.config.AgentRunnerConfig;
import roll.rollout.supervise.EnvironmentException;

/**
 * The command, variables and files of a harness, with the values of an episode in place of
 * placeholders such as <code>{question}</code>.
 *
 * @param values of the placeholders
 */
record HarnessTexts(AgentRunnerConfig config, Map<String, String> values) {
  private static final Pattern PLACEHOLDER =
      Pattern.compile("\\{(question|base_url|api_key|model|home|work)\\}");

  /** Folders in which programs put their own files, by the variables that name them. */
  static final Map<String, String> FOLDERS =
      Map.of(
          "XDG_CONFIG_HOME", ".config",
          "XDG_CACHE_HOME", ".cache",
          "XDG_DATA_HOME", ".local/share",
          "XDG_STATE_HOME", ".local/state",
          "TMPDIR", "tmp");

  /** Returns the texts of {@code task} for a harness with this home and working directory. */
  static HarnessTexts of(AgentRunnerConfig config, AgentTask task, String home, String work) {
    Map<String, String> values = new LinkedHashMap<>(task.values());
    values.put("home", home);
    values.put("work", work);
    return new HarnessTexts(config, values);
  }

  private String filled(String text) {
    return PLACEHOLDER
        .matcher(text)
        .replaceAll(
            found -> Matcher.quoteReplacement(Objects.requireNonNull(values.get(found.group(1)))));
  }

  private String home() {
    return Objects.requireNonNull(values.get("home"));
  }

  /** Returns program and arguments. */
  List<String> command() {
    return config.command().stream().map(this::filled).toList();
  }

  /** Returns the variables of the home and those of the configuration. */
  Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("HOME", home());
    FOLDERS.forEach((name, own) -> variables.put(name, home() + "/" + own));
    config.environment().forEach((name, value) -> variables.put(name, filled(value)));
    return variables;
  }

  /**
   * Returns the files of the configuration, by absolute path.
   *
   * @throws EnvironmentException if one is not in the home
   */
  Map<Path, String> files() {
    Map<Path, String> files = new LinkedHashMap<>();
    Path home = Path.of(home());
    config
        .files()
        .forEach(
            (name, text) -> {
              Path file = home.resolve(name).normalize();
              if (!file.startsWith(home) || file.equals(home)) {
                throw EnvironmentException.of(
                    "agent_runner.files: '" + name + "' is not in the home");
              }
              files.put(file, filled(text));
            });
    return files;
  }
}

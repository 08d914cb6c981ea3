package roll.config.build;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.config.AgentRunnerConfig;
import roll.api.option.UserException;
import roll.config.schema.Section;
import roll.config.tree.YamlReader;
import roll.config.tree.YamlTree;

/**
 * Builds the program that plays the episodes of an environment. A preset, which is data in {@code
 * agents.yaml}, has the keys that a configuration may write itself.
 */
final class AgentRunnerBuilder {
  private static final String PRESETS = "agents.yaml";
  private static final String COMMAND = "command";
  private static final String ENVIRONMENT = "environment";
  private static final String FILES = "files";
  private static final String HARNESS = "harness";
  private static final String PROCESSES = "processes";

  private AgentRunnerBuilder() {}

  /**
   * Returns the program in {@code runner}; its keys have precedence over those of the preset, and
   * its variables and files are added.
   *
   * @throws UserException if there is no command, no such preset, or a key needs another
   */
  static AgentRunnerConfig of(Section runner) {
    Map<String, Object> preset = preset(runner);
    List<String> command =
        runner.has(COMMAND)
            ? runner.texts(COMMAND)
            : ((List<?>) preset.getOrDefault(COMMAND, List.of()))
                .stream().map(String::valueOf).toList();
    if (command.isEmpty() || command.getFirst().isBlank()) {
      throw runner.wrong(COMMAND, "a program and its arguments");
    }
    boolean harness = runner.has(HARNESS) ? runner.flag(HARNESS) : !preset.isEmpty();
    Map<String, String> files = texts(preset, runner, FILES);
    if (!harness && !files.isEmpty()) {
      throw runner.wrong(FILES, "none without harness: true");
    }
    if (harness && runner.integer(PROCESSES) > 0) {
      throw runner.wrong(PROCESSES, "0, since a harness plays one episode");
    }
    return new AgentRunnerConfig(
        command,
        texts(preset, runner, ENVIRONMENT),
        runner.number("timeout"),
        runner.integer(PROCESSES),
        runner.flag("deterministic"),
        harness,
        files);
  }

  /** Returns the keys of the preset that {@code runner} names; none if it names none. */
  private static Map<String, Object> preset(Section runner) {
    String name = runner.textOrNull("preset");
    if (name == null) {
      return Map.of();
    }
    Map<String, @Nullable Object> presets = YamlTree.mapping(YamlReader.value(PRESETS, text()));
    Map<String, @Nullable Object> preset =
        YamlTree.mapping(Objects.requireNonNull(presets).get(name));
    if (preset == null) {
      throw runner.wrong("preset", "one of " + String.join(", ", presets.keySet()));
    }
    return YamlTree.withoutNulls(preset);
  }

  private static String text() {
    try (InputStream in =
        Objects.requireNonNull(AgentRunnerBuilder.class.getResourceAsStream(PRESETS))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String> texts(Map<String, Object> preset, Section runner, String key) {
    Map<String, String> texts = new LinkedHashMap<>();
    if (preset.get(key) instanceof Map<?, ?> known) {
      known.forEach((name, value) -> texts.put(String.valueOf(name), String.valueOf(value)));
    }
    runner.mapping(key).forEach((name, value) -> texts.put(name, String.valueOf(value)));
    return texts;
  }
}

package roll.config.build;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.config.AgentRunnerConfig;
import roll.config.schema.Section;

/** The section {@code agent_runner} of a custom environment. */
final class AgentRunnerBuilder {
  /** The manager that has programs play. */
  static final String MANAGER = "program";

  private AgentRunnerBuilder() {}

  /**
   * The program that plays the episodes of {@code environment}, or null where it names none.
   *
   * @throws roll.api.option.UserException if the manager is another one, or the command is empty
   */
  static @Nullable AgentRunnerConfig of(Section environment) {
    if (!environment.has("agent_runner")) {
      return null;
    }
    if (!environment.text("env_manager_cls").equals(MANAGER)) {
      throw environment.wrong(
          "env_manager_cls", MANAGER + ", where agent_runner names a program that plays");
    }
    Section runner = environment.section("agent_runner");
    List<String> command = runner.texts("command");
    if (command.isEmpty() || command.getFirst().isBlank()) {
      throw runner.wrong("command", "a program and its arguments");
    }
    Map<String, String> variables = new LinkedHashMap<>();
    runner
        .mapping("environment")
        .forEach((name, value) -> variables.put(name, String.valueOf(value)));
    return new AgentRunnerConfig(
        command,
        variables,
        runner.number("timeout"),
        runner.integer("processes"),
        runner.flag("deterministic"));
  }
}

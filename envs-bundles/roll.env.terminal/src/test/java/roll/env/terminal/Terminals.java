package roll.env.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.tool.ToolResult;
import roll.runtime.option.YamlOptions;
import roll.testkit.InMemoryPluginRegistry;
import roll.workspace.local.LocalWorkspaces;

/** Scenarios of the environment on workspaces of this machine. */
@NullMarked
final class Terminals implements AutoCloseable {
  private final LocalWorkspaces provider = new LocalWorkspaces();
  private final List<Scenario> scenarios = new ArrayList<>();

  /** The leases that scenarios hold. */
  final InMemoryPluginRegistry plugins =
      new InMemoryPluginRegistry().with("roll.workspace", "local", provider);

  /** Returns the environment. */
  TerminalEnvironment environment() {
    return new TerminalEnvironment(plugins);
  }

  /** Returns a scenario that is closed with this. */
  Scenario scenario(Map<String, Object> options) {
    TerminalEnvironment environment = environment();
    Scenario scenario =
        environment.configure(YamlOptions.checked("env_config", options, environment.options()));
    scenarios.add(scenario);
    return scenario;
  }

  /** Returns a scenario of the one task in {@code folder}. */
  Scenario task(Path folder, Map<String, Object> options) {
    Map<String, Object> all = new LinkedHashMap<>(options);
    all.put("train_tasks", folder.toString());
    return scenario(all);
  }

  /** Writes a task without files whose tests are {@code script}. */
  static void write(Path folder, String script) throws IOException {
    file(folder, "task.toml", "[agent]\ntimeout_sec = 60\n[verifier]\ntimeout_sec = 60\n");
    file(folder, "instruction.md", "Do it.");
    file(folder, "environment/Dockerfile", "FROM ubuntu\nWORKDIR /app\n");
    file(folder, "tests/test.sh", script);
  }

  /** Writes a file of a task. */
  static void file(Path folder, String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, text);
  }

  /** Returns the result of a command. */
  static String shell(Episode episode, String command) throws InterruptedException {
    return episode.call("shell", Map.of("command", command)).observation();
  }

  /** Executes the demonstration of the task; every call succeeds. */
  static Step expert(Episode episode) throws InterruptedException {
    List<?> turns = (List<?>) Objects.requireNonNull(episode.facts().get("demonstration"));
    for (Object turn : turns) {
      if (!(turn instanceof Map<?, ?> call)) {
        return episode.step(turn.toString());
      }
      Map<String, Object> arguments = new LinkedHashMap<>();
      ((Map<?, ?>) Objects.requireNonNull(call.get("arguments")))
          .forEach((name, value) -> arguments.put(name.toString(), value));
      ToolResult result = episode.call(String.valueOf(call.get("tool")), arguments);
      if (result.status() != ToolResult.Status.SUCCESS) {
        throw new AssertionError(call + ": " + result);
      }
    }
    throw new AssertionError("no answer in " + turns);
  }

  @Override
  public void close() {
    scenarios.forEach(Scenario::close);
    if (plugins.leased() > 0) {
      throw new AssertionError("leases are open");
    }
  }
}

package roll.workspace.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.api.workspace.WorkspaceLimits;
import roll.sandbox.KernelScripts;

/**
 * The command that starts the process of a pool.
 *
 * @param python the interpreter
 * @param launcher prefix of the command
 * @param readable paths that commands may read, beside the programs of the system
 */
record LaunchOptions(Path python, List<String> launcher, List<String> readable) {
  private static final String PYTHON = "roll.workspace.local.python";
  private static final String READABLE = "roll.workspace.local.readable";
  private static final List<String> SOURCES =
      List.of(
          "imports.py",
          "calls.py",
          "files.py",
          "trees.py",
          "commands.py",
          "spaces.py",
          "plain.py",
          "workspace.py",
          "setup.py",
          "boundaries.py",
          "server.py");

  /** Reads the framework's {@code properties}; the default interpreter is /usr/bin/python3. */
  static LaunchOptions of(UnaryOperator<@Nullable String> properties) {
    String python = Objects.requireNonNullElse(properties.apply(PYTHON), "/usr/bin/python3");
    String readable = Objects.requireNonNullElse(properties.apply(READABLE), "");
    return new LaunchOptions(
        Path.of(python),
        List.of(),
        List.of(readable.split(":")).stream().filter(path -> !path.isEmpty()).toList());
  }

  /**
   * Checks that the command exists.
   *
   * @throws UserException if it does not
   */
  void check() {
    if (!System.getProperty("os.name", "").startsWith("Linux")) {
      throw new UserException("the workspace 'local' needs Linux");
    }
    if (!Files.isExecutable(python)) {
      throw new UserException(
          "the workspace 'local' needs " + python + ", which is missing; set -D" + PYTHON);
    }
  }

  /** Starts the process, whose files are in {@code folder}; an open input keeps it alive. */
  Process start(Path folder, WorkspaceLimits limits) throws IOException {
    List<String> command = new ArrayList<>(launcher);
    command.addAll(List.of(python.toString(), "-I", "-S", "-B", "-c"));
    command.add(KernelScripts.with(LaunchOptions.class, SOURCES));
    command.add(limits.isolation().word());
    command.add(folder.toString());
    for (long limit : new long[] {limits.memory(), limits.processes(), limits.disk()}) {
      command.add(String.valueOf(limit));
    }
    command.add(limits.network() ? "1" : "0");
    command.addAll(readable);
    ProcessBuilder builder = new ProcessBuilder(command).directory(Path.of("/").toFile());
    builder.environment().clear();
    builder.environment().put("LC_ALL", "C.UTF-8");
    return builder.start();
  }
}

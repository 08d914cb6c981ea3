package roll.sandbox.python_process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.api.sandbox.Isolation;
import roll.sandbox.KernelScripts;

/**
 * The command that starts the forking python3.
 *
 * @param python the interpreter
 * @param launcher prefix of the command, such as a container runtime with its arguments; {@code
 *     {folder}} is the folder of the socket
 */
record LaunchCommand(Path python, List<String> launcher) {
  private static final String PYTHON = "roll.sandbox.python_process.python";
  private static final String LAUNCHER = "roll.sandbox.python_process.launcher";
  private static final List<String> SOURCES = List.of("seccomp.py", "driver.py", "forkserver.py");

  /** Reads the framework's {@code properties}; the default interpreter is /usr/bin/python3. */
  static LaunchCommand of(UnaryOperator<@Nullable String> properties) {
    String python = Objects.requireNonNullElse(properties.apply(PYTHON), "/usr/bin/python3");
    String launcher = Objects.requireNonNullElse(properties.apply(LAUNCHER), "").strip();
    return new LaunchCommand(
        Path.of(python), launcher.isEmpty() ? List.of() : List.of(launcher.split("\\s+")));
  }

  /**
   * Checks that the command exists.
   *
   * @throws UserException if it does not
   */
  void check() {
    if (!System.getProperty("os.name", "").startsWith("Linux")) {
      throw new UserException(
          "the sandbox 'python_process' needs Linux; 'sandbox: python' runs programs in this"
              + " process");
    }
    if (launcher.isEmpty() && !Files.isExecutable(python)) {
      throw new UserException(
          "the sandbox 'python_process' needs "
              + python
              + ", which is missing; set -D"
              + PYTHON
              + ", or use 'sandbox: python', which runs programs in this process");
    }
  }

  /**
   * Starts the process; an open input keeps it alive, and its first line describes the isolation.
   */
  Process start(Isolation isolation, Path socket) throws IOException {
    List<String> command = new ArrayList<>();
    String folder = Objects.requireNonNull(socket.getParent()).toString();
    launcher.forEach(word -> command.add(word.replace("{folder}", folder)));
    command.addAll(List.of(python.toString(), "-s", "-B", "-c"));
    command.add(KernelScripts.with(LaunchCommand.class, SOURCES));
    command.addAll(List.of(isolation.word(), socket.toString()));
    ProcessBuilder builder = new ProcessBuilder(command).directory(Path.of("/").toFile());
    builder.environment().clear();
    // fixes the order of sets, and keeps libraries from starting threads, which would fail
    for (String name : List.of("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")) {
      builder.environment().put(name, "1");
    }
    builder.environment().put("PYTHONHASHSEED", "0");
    builder.environment().put("LC_ALL", "C.UTF-8");
    return builder.start();
  }
}

package roll.env.remote;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A server of the tests' resources, which prints its port first. */
record PythonServer(Process process, int port) implements AutoCloseable {
  private static final String PYTHON = "/usr/bin/python3";

  /** Starts the file {@code name} with {@code arguments}. */
  static PythonServer start(String name, String... arguments) throws IOException {
    assumeTrue(Files.isExecutable(Path.of(PYTHON)), "no /usr/bin/python3");
    List<String> command = new ArrayList<>(List.of(PYTHON, "-B", Programs.file(name).toString()));
    command.addAll(List.of(arguments));
    Process started =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader lines = started.inputReader(StandardCharsets.UTF_8);
    return new PythonServer(
        started, Integer.parseInt(Objects.requireNonNull(lines.readLine(), "no port")));
  }

  /** Ends it at once. */
  void end() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    end();
  }
}

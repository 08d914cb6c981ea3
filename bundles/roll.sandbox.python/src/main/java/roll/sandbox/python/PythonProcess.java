package roll.sandbox.python;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.Stream;
import roll.api.sandbox.Execution;
import roll.api.sandbox.Execution.Outcome;
import roll.api.sandbox.SandboxLimits;

/**
 * A python3 with an empty environment, in an empty folder and a process group of its own, that runs
 * the programs it is asked to.
 */
final class PythonProcess implements AutoCloseable {
  private final SandboxLimits limits;
  private final Path folder;
  private final Process process;
  private final InputStream answers;

  /** Starts {@code python}. */
  PythonProcess(Path python, SandboxLimits limits) throws IOException {
    this.limits = limits;
    folder = Files.createTempDirectory("roll-python-process");
    String memory = String.valueOf(limits.memory());
    ProcessBuilder builder =
        new ProcessBuilder("setsid", python.toString(), "-I", "-S", "-B", "-c", driver(), memory)
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().clear();
    process = builder.start();
    answers = new BufferedInputStream(process.getInputStream());
  }

  /**
   * How {@code program} ends; waits for it.
   *
   * @throws IOException if the process ends before
   */
  Execution ask(String program) throws IOException {
    byte[] source = program.getBytes(StandardCharsets.UTF_8);
    long seconds = Math.ceilDiv(limits.time().toMillis(), 1000L);
    OutputStream questions = process.getOutputStream();
    String header = source.length + " " + seconds + " " + limits.output() + "\n";
    questions.write(header.getBytes(StandardCharsets.US_ASCII));
    questions.write(source);
    questions.flush();
    String[] answer = line().split(" ", 3);
    BoundedOutput output = new BoundedOutput();
    output.begin(limits.output());
    output.write(answers.readNBytes(length(answer, 1)));
    String error = new String(answers.readNBytes(length(answer, 2)), StandardCharsets.UTF_8);
    return new Execution(outcome(answer[0]), output.text(), error);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = answers.read(); c != '\n'; c = answers.read()) {
      if (c < 0 || line.length() > 100) {
        throw new EOFException("no answer");
      }
      line.append((char) c);
    }
    return line.toString();
  }

  /** A number of bytes; what is not in the range of an honest answer is a program's forgery. */
  private int length(String[] answer, int place) throws IOException {
    String digits = place < answer.length ? answer[place] : "";
    if (!digits.matches("[0-9]{1,9}") || Integer.parseInt(digits) > 4L * limits.output() + 8192) {
      throw new EOFException("no answer");
    }
    return Integer.parseInt(digits);
  }

  private static Outcome outcome(String name) throws IOException {
    return switch (name) {
      case "DONE" -> Outcome.DONE;
      case "FAILED" -> Outcome.FAILED;
      case "MEMORY" -> Outcome.MEMORY;
      default -> throw new EOFException("no answer");
    };
  }

  /** Kills the process and all of its group, and removes its folder. */
  @Override
  public void close() {
    try {
      new ProcessBuilder("kill", "-KILL", "--", "-" + process.pid())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
      process.destroyForcibly();
      try (Stream<Path> left = Files.walk(folder)) {
        for (Path file : left.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String driver() throws IOException {
    try (InputStream in = PythonProcess.class.getResourceAsStream("driver.py")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}

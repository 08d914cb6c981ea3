import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The programs of one check, with one log and one time limit; closing it kills what still runs. */
class Programs implements AutoCloseable {
  private final CardSetup setup;
  private final Path log;
  private final double limit;
  private final long begun = System.nanoTime();
  private final List<Program> started = new ArrayList<>();

  Programs(CardSetup setup, Path log, double limit) {
    this.setup = setup;
    this.log = log;
    this.limit = limit;
  }

  /** A started program with the file of its output. */
  record Program(Process process, Path output, String command) {
    /** Returns what it has written. */
    String text() throws IOException {
      return new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
    }

    /** Returns its warnings, such as of operators that a card lacks, each after a line break. */
    String warnings() throws IOException {
      return text()
          .lines()
          .filter(line -> line.startsWith("WARN "))
          .distinct()
          .map(line -> "\n" + line)
          .collect(Collectors.joining());
    }

    /** Sends SIGKILL to it and all that it started. */
    void kill() throws InterruptedException {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      var unused = process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }
  }

  /** Kills all that this process has started. */
  static void killAll() {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
  }

  /** Returns the first command, without the path of the root. */
  String command() {
    return started.isEmpty() ? "" : started.getFirst().command();
  }

  /** Starts {@code roll}. */
  Program roll(String... arguments) throws IOException {
    return roll(Map.of(), List.of(arguments));
  }

  /** Starts {@code roll} with further variables. */
  Program roll(Map<String, String> variables, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(setup.options().get("roll")));
    command.addAll(arguments);
    return start(variables, command);
  }

  /** Starts a program in the root. */
  Program start(Map<String, String> variables, List<String> command) throws IOException {
    Path output = Path.of(log.toString().replaceFirst("log$", (started.size() + 1) + ".log"));
    ProcessBuilder builder = new ProcessBuilder(command).directory(setup.root().toFile());
    Map<String, String> environment = builder.environment();
    environment.put("ROLL_JAVA_HOME", System.getProperty("java.home"));
    String crash =
        "-XX:-CreateCoredumpOnCrash -XX:ErrorFile=" + log.resolveSibling("hs_err_%p.log");
    environment.merge("ROLL_JAVA_OPTS", crash, (given, more) -> given + " " + more);
    if (!setup.python().isEmpty()) {
      environment.put("ROLL_PYTHON", setup.python());
    }
    if (setup.cpu()) {
      environment.put("CUDA_VISIBLE_DEVICES", "-1");
    }
    environment.putAll(variables);
    String line = String.join(" ", command).replace(setup.folder() + "/", "");
    Files.writeString(output, "$ " + line + "\n", StandardOpenOption.CREATE);
    Process process =
        builder
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
            .start();
    Program program = new Program(process, output, line);
    started.add(program);
    return program;
  }

  /** Runs a program, which must end with 0; returns its output. */
  String succeed(Program program) throws Exception {
    int status = end(program);
    if (status != 0) {
      throw new CardFailure("status " + status + ": " + tail(program.text()));
    }
    return program.text();
  }

  /** Waits for the end of a program and returns its status. */
  int end(Program program) throws Exception {
    if (!program.process().waitFor((long) (1000 * left()), TimeUnit.MILLISECONDS)) {
      throw new CardFailure(
          String.format(Locale.ROOT, "not done in %.0f s: %s", limit, tail(program.text())));
    }
    return program.process().exitValue();
  }

  /** Waits until {@code file} exists; the program must not end before. */
  void await(Program program, Path file) throws Exception {
    while (!Files.exists(file)) {
      if (!program.process().isAlive() || left() <= 0) {
        throw new CardFailure("no " + file.getFileName() + ": " + tail(program.text()));
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private double left() {
    return Math.max(0, limit - (System.nanoTime() - begun) * 1e-9);
  }

  /** Returns the last lines of an output; of a crash of the JVM, where it happened. */
  static String tail(String output) {
    List<String> lines = output.lines().filter(line -> !line.isBlank()).toList();
    if (output.contains("# A fatal error has been detected")) {
      return String.join(
          " ", lines.stream().filter(line -> line.matches("# +(SIG|C  |V  |J |j ).*")).toList());
    }
    return String.join("\n", lines.subList(Math.max(1, lines.size() - 5), lines.size()));
  }

  @Override
  public void close() throws InterruptedException {
    for (Program program : started) {
      program.kill();
    }
  }
}

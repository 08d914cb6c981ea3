package roll.rollout.program;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.config.AgentRunnerConfig;
import roll.api.plugin.ProcessTag;
import roll.rollout.supervise.EnvironmentException;
import roll.text.OneLine;

/**
 * A process that plays one episode. Its input and output are files, so that hundreds of processes
 * need no threads. All output but the last line is logged when the process has ended.
 */
final class AgentProcess implements AgentRun {
  private static final Logger LOG = LoggerFactory.getLogger("roll.rollout.program");

  /** Maximum bytes of the process's standard output, and of its standard error. */
  private static final long MOST_OUTPUT = 16L << 20;

  /** Number of bytes at the end of the process's output that are read. */
  private static final int TAIL = 1 << 20;

  private static final int LOGGED = 100;

  private final String name;
  private final ProcessGroup groups;
  private final boolean harness;
  private final Process process;
  private final ProcessTag mark;
  private final Path folder;

  private AgentProcess(
      String name,
      ProcessGroup groups,
      boolean harness,
      Process process,
      ProcessTag mark,
      Path folder) {
    this.name = name;
    this.groups = groups;
    this.harness = harness;
    this.process = process;
    this.mark = mark;
    this.folder = folder;
  }

  /**
   * Starts the process of an agent program.
   *
   * @param name of the episode, for the log
   * @param task its input and environment variables
   * @param folders parent of the folder of its files
   * @throws EnvironmentException if it cannot be started
   */
  static AgentProcess start(
      String name, ProcessGroup groups, AgentRunnerConfig config, AgentTask task, Path folders) {
    Path folder;
    try {
      folder = Files.createTempDirectory(folders, "episode");
    } catch (IOException e) {
      throw EnvironmentException.of("there is no folder for the program: " + e);
    }
    try {
      return start(name, groups, config, builder(groups, config, task, folder), folder);
    } catch (EnvironmentException e) {
      delete(name, folder);
      throw e;
    } catch (IOException e) {
      delete(name, folder);
      throw EnvironmentException.of(
          "the program cannot be started: " + config.command().getFirst() + ": " + e.getMessage());
    }
  }

  private static AgentProcess start(
      String name,
      ProcessGroup groups,
      AgentRunnerConfig config,
      ProcessBuilder builder,
      Path folder)
      throws IOException {
    ProcessTag mark = ProcessTag.on(builder);
    return new AgentProcess(name, groups, config.harness(), builder.start(), mark, folder);
  }

  private static ProcessBuilder builder(
      ProcessGroup groups, AgentRunnerConfig config, AgentTask task, Path folder)
      throws IOException {
    Path input = folder.resolve("input");
    ProcessBuilder builder = new ProcessBuilder();
    if (config.harness()) {
      Files.createFile(input); // the task is in the arguments
      HarnessHome home = HarnessHome.create(folder, config, task);
      builder.command(groups.command(home.command())).directory(home.work().toFile());
      builder.environment().keySet().retainAll(HarnessHome.KEPT);
      builder.environment().putAll(task.variables());
      builder.environment().putAll(home.variables());
    } else {
      Files.writeString(input, task.json() + "\n");
      builder.command(groups.command(config.command()));
      builder.environment().putAll(task.variables());
      builder.environment().putAll(config.environment());
    }
    return builder
        .redirectInput(input.toFile())
        .redirectOutput(folder.resolve("output").toFile())
        .redirectError(folder.resolve("errors").toFile());
  }

  @Override
  public void onEnd(Runnable then) {
    var unused = process.onExit().thenRun(then);
  }

  @Override
  public boolean runs() {
    return process.isAlive();
  }

  /** Checks the size of the output. */
  @Override
  public void look() {
    for (String file : List.of("output", "errors")) {
      long length = folder.resolve(file).toFile().length();
      if (length > MOST_OUTPUT) {
        throw EnvironmentException.of(
            "the program wrote more than %,d bytes of %s".formatted(MOST_OUTPUT, file));
      }
    }
  }

  @Override
  public AgentResult result() throws InterruptedException {
    int status = process.waitFor();
    if (status != 0) {
      List<String> errors = lines("errors");
      throw EnvironmentException.of(
          "the program exited with status %d%s"
              .formatted(status, errors.isEmpty() ? "" : ": " + errors.getLast().strip()));
    }
    List<String> output = harness ? List.of() : lines("output");
    return AgentResult.read(output.isEmpty() ? "" : output.getLast());
  }

  /** Returns the non-blank lines at the end of {@code file}. */
  private List<String> lines(String file) {
    try (RandomAccessFile in = new RandomAccessFile(folder.resolve(file).toFile(), "r")) {
      long skipped = Math.max(0, in.length() - TAIL);
      in.seek(skipped);
      byte[] tail = new byte[(int) (in.length() - skipped)];
      in.readFully(tail);
      List<String> lines =
          new ArrayList<>(
              new String(tail, StandardCharsets.UTF_8)
                  .lines()
                  .filter(line -> !line.isBlank())
                  .toList());
      if (skipped > 0 && lines.size() > 1) {
        lines.removeFirst(); // the first one is incomplete
      }
      return lines;
    } catch (IOException e) {
      throw EnvironmentException.of("the output of the program cannot be read: " + e);
    }
  }

  private void log(String file, List<String> lines) {
    for (String line : lines.subList(Math.max(0, lines.size() - LOGGED), lines.size())) {
      LOG.info("{}, {}: {}", name, file, OneLine.of(line));
    }
  }

  /** Kills the process and its descendants, and logs its output. */
  @Override
  public void close() {
    groups.kill(process, mark);
    try {
      List<String> output = lines("output");
      log("output", output.subList(0, Math.max(0, output.size() - (harness ? 0 : 1))));
      log("errors", lines("errors"));
    } catch (EnvironmentException e) {
      LOG.warn("{}: {}", name, e.getMessage());
    }
    delete(name, folder);
  }

  private static void delete(String name, Path folder) {
    try {
      HarnessHome.delete(folder);
    } catch (IOException e) {
      LOG.warn("{}: {} was left behind: {}", name, folder, e.toString());
    }
  }
}

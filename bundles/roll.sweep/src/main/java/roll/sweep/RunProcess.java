package roll.sweep;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.runtime.sweep.SweptRun.State;

/**
 * A run in a separate process. Its output goes to a file; it saves and stops when its standard
 * input is closed, which also happens when this process is killed.
 */
final class RunProcess {
  private static final int INTERRUPTED = 130;
  private static final int SIGNAL = 128;
  private static final int TAIL = 8192;
  private static final String ERROR_PREFIX = "roll: ";

  private final Process process;
  private final Path log;
  private final long begin;

  private RunProcess(Process process, Path log, long begin) {
    this.process = process;
    this.log = log;
    this.begin = begin;
  }

  /**
   * The exit status and output of a run's process.
   *
   * @param state of the run
   * @param problem reason of a failure, or null
   */
  record End(State state, @Nullable String problem) {}

  /**
   * Starts the process of a run.
   *
   * @param environment additional environment variables
   * @param log file that its output is appended to
   */
  static RunProcess start(
      RunLaunch launch, List<String> arguments, Map<String, String> environment, Path log)
      throws IOException {
    List<String> command = new ArrayList<>(launch.command());
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    long begin = Files.exists(log) ? Files.size(log) : 0;
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    return new RunProcess(builder.start(), log, begin);
  }

  /** Asks the process to save and stop. */
  void stop() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // already ended
    }
  }

  /** Waits for the end of the process. */
  End await() throws InterruptedException {
    int status = process.waitFor();
    return switch (status) {
      case 0 -> new End(State.FINISHED, null);
      case INTERRUPTED -> new End(State.STOPPED, null);
      default -> new End(State.FAILED, why(status));
    };
  }

  /** Returns the run process' error message, or else its exit status. */
  private String why(int status) {
    String line = errorLine();
    if (line != null && status < SIGNAL) {
      return line;
    }
    return status > SIGNAL
        ? "killed by signal %d, as %s"
            .formatted(
                status - SIGNAL, status == SIGNAL + 9 ? "a system out of memory does" : "kill does")
        : "ended with status " + status;
  }

  /** Returns the run process' last line that begins with {@code roll:}, or null. */
  private @Nullable String errorLine() {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      file.seek(Math.max(begin, file.length() - TAIL));
      byte[] tail = new byte[(int) (file.length() - file.getFilePointer())];
      file.readFully(tail);
      return new String(tail, StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith(ERROR_PREFIX))
          .reduce((first, second) -> second)
          .map(line -> line.substring(ERROR_PREFIX.length()))
          .orElse(null);
    } catch (IOException e) {
      return null;
    }
  }
}

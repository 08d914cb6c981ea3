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
 * A run in a process of its own. What it says goes to a file; it saves and ends when its input is
 * closed, which also happens when this process is killed.
 */
final class RunProcess {
  private static final int INTERRUPTED = 130;
  private static final int SIGNAL = 128;
  private static final int TAIL = 8192;
  private static final String COMPLAINT = "roll: ";

  private final Process process;
  private final Path said;
  private final long begin;

  private RunProcess(Process process, Path said, long begin) {
    this.process = process;
    this.said = said;
    this.begin = begin;
  }

  /**
   * How it ended.
   *
   * @param state what has become of the run
   * @param problem why it failed, or null
   */
  record End(State state, @Nullable String problem) {}

  /**
   * Starts it.
   *
   * @param environment variables on top of those of this process
   * @param said file that its output is appended to
   */
  static RunProcess start(
      RunLaunch launch, List<String> arguments, Map<String, String> environment, Path said)
      throws IOException {
    List<String> command = new ArrayList<>(launch.command());
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    long begin = Files.exists(said) ? Files.size(said) : 0;
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(said.toFile()));
    return new RunProcess(builder.start(), said, begin);
  }

  /** Asks it to save and end. */
  void stop() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // it has ended
    }
  }

  /** Waits for its end. */
  End await() throws InterruptedException {
    int status = process.waitFor();
    return switch (status) {
      case 0 -> new End(State.FINISHED, null);
      case INTERRUPTED -> new End(State.STOPPED, null);
      default -> new End(State.FAILED, why(status));
    };
  }

  /** Its own line, or with which status it ended. */
  private String why(int status) {
    String line = complaint();
    if (line != null && status < SIGNAL) {
      return line;
    }
    return status > SIGNAL
        ? "killed by signal %d, as %s"
            .formatted(
                status - SIGNAL,
                status == SIGNAL + 9 ? "a system does that has no memory left" : "kill does")
        : "ended with status " + status;
  }

  /** The last line that it began with {@code roll:}, or null. */
  private @Nullable String complaint() {
    try (RandomAccessFile file = new RandomAccessFile(said.toFile(), "r")) {
      file.seek(Math.max(begin, file.length() - TAIL));
      byte[] tail = new byte[(int) (file.length() - file.getFilePointer())];
      file.readFully(tail);
      return new String(tail, StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith(COMPLAINT))
          .reduce((first, second) -> second)
          .map(line -> line.substring(COMPLAINT.length()))
          .orElse(null);
    } catch (IOException e) {
      return null;
    }
  }
}

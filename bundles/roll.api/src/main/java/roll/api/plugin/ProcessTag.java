package roll.api.plugin;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * An environment variable that identifies a program and all its descendants, even if a process left
 * its session and its parent ended. Has no effect without {@code /proc}.
 */
public final class ProcessTag {
  private static final String VARIABLE = "ROLL_PROGRAM";
  private static final Path PROCESSES = Path.of("/proc");

  /**
   * Maximum number of process scans, since processes may start others while they are being ended.
   */
  private static final int MOST_LOOKS = 20;

  private final String value;

  private ProcessTag(String value) {
    this.value = value;
  }

  /** Tags the process that {@code builder} will start. */
  public static ProcessTag on(ProcessBuilder builder) {
    String value = UUID.randomUUID().toString();
    builder.environment().put(VARIABLE, value);
    return new ProcessTag(value);
  }

  /** Kills all processes whose environment has this tag. */
  public void end() {
    List<ProcessHandle> found = marked();
    for (int i = 0; i < MOST_LOOKS && !found.isEmpty(); i++) {
      found.forEach(ProcessHandle::destroyForcibly);
      found = marked();
    }
  }

  private List<ProcessHandle> marked() {
    return Files.isDirectory(PROCESSES)
        ? ProcessHandle.allProcesses().filter(process -> has(process.pid())).toList()
        : List.of();
  }

  private boolean has(long process) {
    try {
      // a zombie has no variables, and those of other users cannot be read
      byte[] variables = Files.readAllBytes(PROCESSES.resolve(process + "/environ"));
      String all = new String(variables, StandardCharsets.ISO_8859_1);
      return Stream.of(all.split("\0")).anyMatch((VARIABLE + "=" + value)::equals);
    } catch (IOException e) {
      return false;
    }
  }
}

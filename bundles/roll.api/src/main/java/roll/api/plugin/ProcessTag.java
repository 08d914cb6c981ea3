package roll.api.plugin;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * An environment variable by which a program is known with all that it starts, also where a process
 * has left its session and its parent has ended. Where there is no {@code /proc}, nothing is known
 * by it.
 */
public final class ProcessTag {
  private static final String VARIABLE = "ROLL_PROGRAM";
  private static final Path PROCESSES = Path.of("/proc");

  /** Who ends one of them may find another that it has started meanwhile. */
  private static final int MOST_LOOKS = 20;

  private final String value;

  private ProcessTag(String value) {
    this.value = value;
  }

  /** A new one, on what {@code builder} will start. */
  public static ProcessTag on(ProcessBuilder builder) {
    String value = UUID.randomUUID().toString();
    builder.environment().put(VARIABLE, value);
    return new ProcessTag(value);
  }

  /** Ends at once whatever has it. */
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
      // a zombie has none, and that of other users cannot be read
      byte[] variables = Files.readAllBytes(PROCESSES.resolve(process + "/environ"));
      String all = new String(variables, StandardCharsets.ISO_8859_1);
      return Stream.of(all.split("\0")).anyMatch((VARIABLE + "=" + value)::equals);
    } catch (IOException e) {
      return false;
    }
  }
}

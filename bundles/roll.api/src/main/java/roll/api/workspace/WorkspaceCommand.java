package roll.api.workspace;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A command of a workspace.
 *
 * @param words program and arguments; {@link #shell} for a line of a shell
 * @param environment variables beside those that the provider sets
 * @param time time limit
 * @param output maximum number of bytes of output that are kept, half of them from its end
 */
public record WorkspaceCommand(
    List<String> words, Map<String, String> environment, Duration time, int output) {
  /** Copies the lists. */
  public WorkspaceCommand {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
  }

  /** Returns a command that runs {@code line} by {@code /bin/sh -c}. */
  public static WorkspaceCommand shell(String line, Duration time, int output) {
    return new WorkspaceCommand(List.of("/bin/sh", "-c", line), Map.of(), time, output);
  }
}

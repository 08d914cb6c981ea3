package roll.bridge;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Program that is started and receives requests on its standard input.
 *
 * @param shown name for messages
 * @param command the program and its arguments
 * @param folder working directory; null for that of this process
 * @param env environment variables beside {@code PATH}, {@code HOME} and others
 * @param limits resource limits
 */
public record ProgramCommand(
    String shown,
    List<String> command,
    @Nullable Path folder,
    Map<String, String> env,
    ProgramLimits limits)
    implements PeerEndpoint {
  /** Creates a program command with immutable copies of the collections. */
  public ProgramCommand {
    command = List.copyOf(command);
    env = Map.copyOf(env);
  }

  @Override
  public Transport connect() throws IOException {
    return ProgramTransport.start(this);
  }
}

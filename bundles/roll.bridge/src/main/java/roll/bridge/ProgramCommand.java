package roll.bridge;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A program that is started and asked over its standard input and output.
 *
 * @param shown its name for messages
 * @param command the program and its arguments
 * @param folder its working directory; null for that of this process
 * @param env its environment variables, beside {@code PATH}, {@code HOME} and the like
 * @param limits what it may take
 */
public record ProgramCommand(
    String shown,
    List<String> command,
    @Nullable Path folder,
    Map<String, String> env,
    ProgramLimits limits)
    implements PeerEndpoint {
  /** A copy of what may change. */
  public ProgramCommand {
    command = List.copyOf(command);
    env = Map.copyOf(env);
  }

  @Override
  public Transport connect() throws IOException {
    return ProgramTransport.start(this);
  }
}

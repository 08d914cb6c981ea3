package roll.runtime.nodes;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A request to let nodes join a run.
 *
 * @param run its name, for people
 * @param folder its output folder, which keeps the certificates and the token for a resumed run
 * @param at an address or a name of this machine, with {@code :port} or without
 * @param plain whether to disable TLS, so that others on the network can read and change all
 *     messages
 * @param token that {@link Nodes#prepare} gave for this folder; null for a new one
 */
public record ListenRequest(
    String run, Path folder, String at, boolean plain, @Nullable String token) {
  /** Creates the request with a new join token. */
  public ListenRequest(String run, Path folder, String at, boolean plain) {
    this(run, folder, at, plain, null);
  }
}

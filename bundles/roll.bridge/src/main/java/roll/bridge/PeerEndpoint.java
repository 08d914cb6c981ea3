package roll.bridge;

import java.io.IOException;
import org.osgi.annotation.versioning.ProviderType;

/** Endpoint of a peer: a program to start, or an address. */
@ProviderType
public sealed interface PeerEndpoint permits ProgramCommand, ServerEndpoint {
  /** Name for messages, without secrets. */
  String shown();

  /**
   * Connects to a new peer.
   *
   * @throws IOException if it cannot be started or reached
   */
  Transport connect() throws IOException, InterruptedException;
}

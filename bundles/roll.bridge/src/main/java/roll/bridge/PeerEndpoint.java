package roll.bridge;

import java.io.IOException;
import org.osgi.annotation.versioning.ProviderType;

/** Where a peer is: a program to start, or an address. */
@ProviderType
public sealed interface PeerEndpoint permits ProgramCommand, ServerEndpoint {
  /** The place for messages, without what may be secret. */
  String shown();

  /**
   * A way to a new peer there.
   *
   * @throws IOException if there is none
   */
  Transport connect() throws IOException, InterruptedException;
}

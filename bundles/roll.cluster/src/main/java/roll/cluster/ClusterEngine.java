package roll.cluster;

import java.io.IOException;
import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Service that makes this process a node of a run, on top of a library for membership, failure
 * detection and messages.
 *
 * <p>The first node of a run decides: after a network partition the nodes that reach it continue,
 * and all others end. No other node takes its place.
 */
@ProviderType
public interface ClusterEngine {
  /**
   * Listens on the configured address and joins: at once as the first node, otherwise when the
   * first node has accepted this one.
   *
   * @param handlers message handlers by topic, registered before any other node knows this one; see
   *     {@link Membership#handle}
   * @return the membership, which the caller closes
   * @throws IOException if the process cannot listen on the address, or no node accepted this one
   *     within {@link MembershipConfig#joinTimeout}; the message is one line with the reason
   * @throws InterruptedException if the thread was interrupted; everything opened has been closed
   */
  Membership open(MembershipConfig config, Map<String, MessageHandler> handlers)
      throws IOException, InterruptedException;

  /** Joins a run without initial message handlers. */
  default Membership open(MembershipConfig config) throws IOException, InterruptedException {
    return open(config, Map.of());
  }
}

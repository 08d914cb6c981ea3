package roll.cluster;

import java.io.IOException;
import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Makes this process a node of a run: a service, implemented by a bundle around a library that
 * keeps membership, notices lost nodes and delivers messages.
 *
 * <p>The first node of a run decides: after a split the nodes that reach it go on, and all others
 * end. There is no second one that takes its place.
 */
@ProviderType
public interface ClusterEngine {
  /**
   * Listens at the place and becomes a member: at once as the first node, otherwise when the first
   * node has taken this one in.
   *
   * @param handlers of topics that are answered from the first moment on, before any other node
   *     knows this one; as {@link Membership#handle} takes them
   * @return the membership, which the caller closes
   * @throws IOException if the place cannot be listened at, or no node took this one in within
   *     {@link ClusterPlace#limit}; the message is one line that says why
   * @throws InterruptedException if the thread was interrupted meanwhile; nothing is left open
   */
  Membership open(ClusterPlace place, Map<String, MessageHandler> handlers)
      throws IOException, InterruptedException;

  /** The same without handlers. */
  default Membership open(ClusterPlace place) throws IOException, InterruptedException {
    return open(place, Map.of());
  }
}

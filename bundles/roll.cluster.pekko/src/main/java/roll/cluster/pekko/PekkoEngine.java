package roll.cluster.pekko;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import roll.cluster.ClusterEngine;
import roll.cluster.ClusterPlace;
import roll.cluster.Membership;
import roll.cluster.MessageHandler;

/** Membership by Apache Pekko Cluster. */
@Component
public final class PekkoEngine implements ClusterEngine {
  private final Wiring wiring;

  /**
   * How a node is connected.
   *
   * @param host where it listens instead of its place, at the same port; null for its place
   * @param more settings of Pekko that go before all others
   */
  record Wiring(@Nullable String host, Map<String, Object> more) {
    InetSocketAddress at(ClusterPlace place) {
      return host == null
          ? place.at()
          : new InetSocketAddress(InetAddress.ofLiteral(host), place.at().getPort());
    }
  }

  /** As {@code engine.conf} says. */
  @Activate
  public PekkoEngine() {
    this(new Wiring(null, Map.of()));
  }

  /** With other wires, for tests. */
  PekkoEngine(Wiring wiring) {
    this.wiring = wiring;
  }

  @Override
  public Membership open(ClusterPlace place, Map<String, MessageHandler> handlers)
      throws IOException, InterruptedException {
    PekkoMembership membership = PekkoMembership.start(place, wiring);
    try {
      handlers.forEach(membership::handle);
      membership.join(place);
      return membership;
    } catch (IOException | InterruptedException | RuntimeException e) {
      membership.close();
      throw e;
    }
  }
}

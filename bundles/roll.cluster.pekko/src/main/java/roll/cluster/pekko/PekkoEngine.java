package roll.cluster.pekko;

import java.io.IOException;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import roll.cluster.ClusterEngine;
import roll.cluster.ClusterPlace;
import roll.cluster.Membership;
import roll.cluster.MessageHandler;

/** Membership by Apache Pekko Cluster. */
@Component
public final class PekkoEngine implements ClusterEngine {
  private final Map<String, Object> more;

  /** As {@code engine.conf} says. */
  @Activate
  public PekkoEngine() {
    this(Map.of());
  }

  /** With settings of Pekko that go before all others. */
  PekkoEngine(Map<String, Object> more) {
    this.more = Map.copyOf(more);
  }

  @Override
  public Membership open(ClusterPlace place, Map<String, MessageHandler> handlers)
      throws IOException, InterruptedException {
    PekkoMembership membership = PekkoMembership.start(place, more);
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

package roll.cluster.pekko;

import java.io.IOException;
import org.osgi.service.component.annotations.Component;
import roll.cluster.ClusterEngine;
import roll.cluster.ClusterPlace;
import roll.cluster.Membership;

/** Membership by Apache Pekko Cluster. */
@Component
public final class PekkoEngine implements ClusterEngine {
  @Override
  public Membership open(ClusterPlace place) throws IOException, InterruptedException {
    PekkoMembership membership = PekkoMembership.start(place);
    try {
      membership.join(place);
      return membership;
    } catch (IOException | InterruptedException | RuntimeException e) {
      membership.close();
      throw e;
    }
  }
}

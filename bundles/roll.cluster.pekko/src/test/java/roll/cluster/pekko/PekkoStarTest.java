package roll.cluster.pekko;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import roll.cluster.ClusterEngine;
import roll.cluster.testkit.StarContract;

@Tag("processes")
class PekkoStarTest extends StarContract {
  @Override
  protected ClusterEngine engine(String listening, String from) {
    return new PekkoEngine(
        listening, Map.of("pekko.remote.artery.advanced.tcp.outbound-client-hostname", from));
  }
}

package roll.cluster.pekko;

import org.junit.jupiter.api.Tag;
import roll.cluster.ClusterEngine;
import roll.cluster.testkit.ClusterEngineContract;

@Tag("processes")
class PekkoEngineTest extends ClusterEngineContract {
  @Override
  protected ClusterEngine engine() {
    return new PekkoEngine();
  }
}

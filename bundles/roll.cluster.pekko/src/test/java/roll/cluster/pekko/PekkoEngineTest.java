package roll.cluster.pekko;

import roll.cluster.ClusterEngine;
import roll.cluster.testkit.ClusterEngineContract;

class PekkoEngineTest extends ClusterEngineContract {
  @Override
  protected ClusterEngine engine() {
    return new PekkoEngine();
  }
}

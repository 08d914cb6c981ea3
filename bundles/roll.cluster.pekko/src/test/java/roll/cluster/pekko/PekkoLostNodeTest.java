package roll.cluster.pekko;

import roll.cluster.ClusterEngine;
import roll.cluster.testkit.LostNodeContract;

class PekkoLostNodeTest extends LostNodeContract {
  @Override
  protected ClusterEngine engine() {
    return new PekkoEngine();
  }
}

package roll.cluster.pekko;

import roll.cluster.ClusterEngine;
import roll.cluster.testkit.LeftoversContract;

class PekkoLeftoversTest extends LeftoversContract {
  @Override
  protected ClusterEngine engine() {
    return new PekkoEngine();
  }
}

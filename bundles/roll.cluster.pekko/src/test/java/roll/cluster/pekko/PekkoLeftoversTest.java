package roll.cluster.pekko;

import org.junit.jupiter.api.Tag;
import roll.cluster.ClusterEngine;
import roll.cluster.testkit.ResourceLeakContract;

@Tag("processes")
class PekkoLeftoversTest extends ResourceLeakContract {
  @Override
  protected ClusterEngine engine() {
    return new PekkoEngine();
  }
}

package roll.cluster.pekko;

import org.junit.jupiter.api.Tag;
import roll.cluster.ClusterEngine;
import roll.cluster.testkit.LeftoversContract;

@Tag("processes")
class PekkoLeftoversTest extends LeftoversContract {
  @Override
  protected ClusterEngine engine() {
    return new PekkoEngine();
  }
}

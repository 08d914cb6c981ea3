package roll.cluster.pekko;

import org.junit.jupiter.api.Tag;
import roll.cluster.ClusterEngine;
import roll.cluster.testkit.LostNodeContract;

@Tag("processes")
class PekkoLostNodeTest extends LostNodeContract {
  @Override
  protected ClusterEngine engine() {
    return new PekkoEngine();
  }
}

package roll.collectives.testkit;

import java.util.List;
import roll.torch.collective.Communicator;
import roll.torch.collective.ThreadCollectives;

class ThreadCollectivesTest extends CollectivesContract {
  @Override
  protected List<Communicator> open(int size) {
    return new ThreadCollectives().open(size);
  }
}

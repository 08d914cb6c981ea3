package roll.collectives.testkit;

import java.util.List;
import roll.parallel.collective.Communicator;
import roll.parallel.collective.ThreadCollectives;

class ThreadCollectivesTest extends CollectivesContract {
  @Override
  protected List<Communicator> open(int size) {
    return new ThreadCollectives().open(size);
  }
}

package roll.collectives.nccl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import roll.collectives.testkit.CollectivesContract;
import roll.parallel.collective.Communicator;

/** Cards of one process; what the ranks give lies in the computer's memory. */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NcclContractTest extends CollectivesContract {
  private FakeCards cards;

  @BeforeAll
  void compile(@TempDir Path folder) throws Exception {
    cards = FakeCards.compile(folder);
  }

  @Override
  protected List<Communicator> open(int size) {
    return cards.collectives().open(size);
  }

  @Override
  protected boolean ordered() {
    return false;
  }

  @AfterAll
  void nothingIsLeft() {
    if (cards != null) { // skipped
      assertEquals(0, cards.held(), "memory and streams of cards that were not freed");
    }
  }
}

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

/** GPUs of one process, with operands in host memory. */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NcclContractTest extends CollectivesContract {
  private FakeGpus gpus;

  @BeforeAll
  void compile(@TempDir Path folder) throws Exception {
    gpus = FakeGpus.compile(folder);
  }

  @Override
  protected List<Communicator> open(int size) {
    return gpus.collectives().open(size);
  }

  @Override
  protected boolean ordered() {
    return false;
  }

  @AfterAll
  void nothingIsLeft() {
    if (gpus != null) { // skipped
      assertEquals(0, gpus.allocated(), "memory and streams that were not freed");
    }
  }
}

package roll.collectives.nccl;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import roll.collectives.testkit.CollectivesContract;
import roll.parallel.collective.Communicator;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankGroup;
import roll.parallel.collective.RankLocation;
import roll.parallel.collective.Rendezvous;

/** Each rank opens the group as the only one of its process, on GPU 0. */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NcclProcessesTest extends CollectivesContract {
  private FakeGpus gpus;

  @BeforeAll
  void compile(@TempDir Path folder) throws Exception {
    gpus = FakeGpus.compile(folder);
  }

  @Override
  protected List<Communicator> open(int size) {
    NcclCollectives collectives = gpus.collectives();
    Rendezvous rendezvous = Rendezvous.local();
    List<RankLocation> members =
        IntStream.range(0, size).mapToObj(r -> new RankLocation("process-" + r, "", 0)).toList();
    RankGroup group = new RankGroup("test", 3, members, Duration.ofSeconds(2));
    List<CompletableFuture<List<Communicator>>> opening = new ArrayList<>();
    for (RankLocation member : members) {
      LocalProcess site = new LocalProcess(member.process(), rendezvous);
      opening.add(
          CompletableFuture.supplyAsync(
              () -> collectives.open(group, site), Thread::startVirtualThread));
    }
    return opening.stream().flatMap(ends -> ends.join().stream()).toList();
  }

  @Override
  protected boolean ordered() {
    return false;
  }

  @Override
  protected boolean resets() {
    return false;
  }

  /** A rank of another process only reaches its timeout. */
  @Override
  protected boolean released(Throwable failure, Throwable cause) {
    return String.valueOf(failure.getMessage()).startsWith("group 'test' of epoch 3, ");
  }
}

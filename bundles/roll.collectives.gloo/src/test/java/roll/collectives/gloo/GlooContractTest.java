package roll.collectives.gloo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import roll.collectives.testkit.CollectivesContract;
import roll.parallel.collective.Communicator;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankGroup;
import roll.parallel.collective.RankLocation;
import roll.parallel.collective.Rendezvous;
import roll.torch.Device;

/** Each rank opens the group as the only one of its process. */
@EnabledOnOs(OS.LINUX)
class GlooContractTest extends CollectivesContract {
  static GlooCollectives collectives() {
    return new GlooCollectives(
        () -> {
          try (Device device = Device.cpu(1)) {
            return device.load().getVersion();
          }
        },
        false);
  }

  @Override
  protected List<Communicator> open(int size) {
    GlooCollectives collectives = collectives();
    Rendezvous rendezvous = Rendezvous.local();
    List<RankLocation> members =
        IntStream.range(0, size)
            .mapToObj(r -> new RankLocation("process-" + r, "127.0.0.1", RankLocation.CPU))
            .toList();
    RankGroup group = new RankGroup("test", 3, members, Duration.ofSeconds(3));
    List<CompletableFuture<List<Communicator>>> opening = new ArrayList<>();
    for (RankLocation member : members) {
      LocalProcess site = new LocalProcess(member.process(), rendezvous);
      opening.add(
          CompletableFuture.supplyAsync(
              () -> collectives.open(group, site), work -> Thread.ofPlatform().start(work)));
    }
    return opening.stream().flatMap(ends -> ends.join().stream()).toList();
  }

  @Override
  protected boolean resets() {
    return false;
  }

  /** A rank of another process only notices that its connections are closed. */
  @Override
  protected boolean released(Throwable failure, Throwable cause) {
    return String.valueOf(failure.getMessage()).startsWith("group 'test' of epoch 3, ");
  }
}

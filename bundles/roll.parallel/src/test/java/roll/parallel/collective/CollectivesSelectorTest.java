package roll.parallel.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static roll.testkit.UserErrors.userError;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import roll.api.option.UserException;

class CollectivesSelectorTest {
  private final List<String> asked = new ArrayList<>();
  private final CollectivesSelector chosen = new CollectivesSelector();

  /** Notes what it is asked for and opens threads. */
  private Collectives noting(String name) {
    return new Collectives() {
      @Override
      public List<Communicator> open(int size) {
        return new ThreadCollectives().open(size);
      }

      @Override
      public List<Communicator> open(RankGroup group, LocalProcess site) {
        asked.add(name + " " + group.name());
        return open(group.size());
      }
    };
  }

  private void add(String name) {
    chosen.add(noting(name), Map.of("roll.collectives", name));
  }

  private static void assertSays(String line, Executable work) {
    assertEquals(line, userError(work));
  }

  private static RankGroup processes(int card) {
    return new RankGroup(
        "data 0",
        4,
        List.of(new RankLocation("a", "10.0.0.1", card), new RankLocation("b", "10.0.0.2", card)),
        Duration.ofSeconds(1));
  }

  @Test
  void thePlacesOfTheRanksDecide() {
    add("threads");
    add("gloo");
    add("nccl");
    LocalProcess site = new LocalProcess("a", Rendezvous.local());
    assertEquals(3, chosen.open(3).size());
    chosen.open(RankGroup.here("cards", List.of(0, 1)), LocalProcess.alone());
    chosen.open(processes(RankLocation.CPU), site);
    chosen.open(processes(0), site);
    assertEquals(List.of("threads ranks", "nccl cards", "gloo data 0", "nccl data 0"), asked);
  }

  @Test
  void whatIsMissingIsNamed() {
    add("threads");
    assertSays(
        "group 'x': its ranks on [CUDA device 0, CUDA device 1] need the collectives 'nccl', but no"
            + " installed bundle provides them: deploy roll.collectives.nccl",
        () -> chosen.open(RankGroup.here("x", List.of(0, 1)), LocalProcess.alone()));
    assertSays(
        "group 'data 0' of epoch 4: its ranks on [CPU of a, CPU of b] need the collectives 'gloo',"
            + " but no installed bundle provides them: deploy roll.collectives.gloo",
        () -> chosen.open(processes(RankLocation.CPU), new LocalProcess("a", Rendezvous.local())));
    assertSays(
        "group 'x': its ranks are on [CPU, CUDA device 0]; all ranks of a group must be on cards,"
            + " or none",
        () -> chosen.open(RankGroup.here("x", List.of(-1, 0)), LocalProcess.alone()));
    assertSays(
        "a rank cannot be on CUDA device -2: numbers begin at 0",
        () -> RankGroup.here("x", List.of(-2)));
  }

  /** A bundle that goes takes its service along, another of the same name that came later stays. */
  @Test
  void servicesComeAndGo() {
    Collectives first = noting("threads");
    Collectives second = noting("threads");
    Map<String, Object> properties = Map.of("roll.collectives", "threads");
    chosen.add(first, properties);
    chosen.add(second, properties);
    chosen.remove(first, properties);
    assertEquals(2, chosen.open(2).size());
    chosen.remove(second, properties);
    assertThrows(UserException.class, () -> chosen.open(2));
  }

  @Test
  void threadsAreForOneProcessOnTheCpu() {
    assertSays(
        "group 'data 0' of epoch 4: these collectives are for ranks of one process on the CPU, not"
            + " for [CPU of a, CPU of b]",
        () ->
            new ThreadCollectives()
                .open(processes(RankLocation.CPU), new LocalProcess("a", Rendezvous.local())));
  }
}

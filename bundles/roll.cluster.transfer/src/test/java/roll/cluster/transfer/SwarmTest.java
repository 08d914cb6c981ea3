package roll.cluster.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the decisions of all nodes together come to, in virtual time. */
class SwarmTest {
  private static SwarmOutcome run(int workers, double slow, double lost, int late) {
    return run(workers, slow, lost, HeldVersion.SERVED, late);
  }

  private static SwarmOutcome run(int workers, double slow, double lost, int admitted, int late) {
    Swarm swarm =
        new Swarm(workers, 1_000_000_000, 1.25e8, Pull.PEERS, slow, lost, admitted, late, 1);
    SwarmSimulation simulation = new SwarmSimulation(swarm);
    SwarmOutcome outcome = simulation.run();
    int chunks = simulation.chunks();
    for (SwarmNode node : outcome.living()) {
      assertTrue(node.finished >= 0, node.name);
      assertEquals(chunks, node.received.size(), node.name);
      assertTrue(node.received.values().stream().allMatch(times -> times == 1), node.name);
    }
    return outcome;
  }

  /** 16 times the workers, less than a copy more: it grows like a logarithm, not like them. */
  @Test
  void itHardlyTakesLongerToReachMany() {
    SwarmOutcome one = run(1, 0, 0, 0);
    assertTrue(one.seconds() < 1.05 * one.copy(), () -> one.seconds() + " s");
    SwarmOutcome few = run(4, 0, 0, 0);
    SwarmOutcome many = run(64, 0, 0, 0);
    double more = (many.seconds() - few.seconds()) / few.copy();
    assertTrue(more < 1, () -> few.seconds() + " and " + many.seconds() + " s");
    assertTrue(many.originCopies() < 3, () -> "the origin sent " + many.originCopies());
  }

  @Test
  @Tag("slow")
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void aThousand() {
    SwarmOutcome few = run(4, 0, 0, 0);
    SwarmOutcome many = run(1000, 0, 0, 0);
    assertTrue(many.seconds() < few.seconds() + 1.5 * few.copy(), () -> many.seconds() + " s");
    SwarmOutcome mixed = run(1000, 0.1, 0.1, 50);
    assertTrue(mixed.seconds() < 6 * mixed.copy(), () -> mixed.seconds() + " s");
  }

  /** So it was before nodes sent each other away: the origin sent nearly everything. */
  @Test
  void whereAllAreServedAtOnceItTakesLong() {
    SwarmOutcome all = run(32, 0, 0, 0, 0);
    SwarmOutcome some = run(32, 0, 0, 0);
    assertTrue(all.seconds() > some.seconds(), () -> all.seconds() + ", " + some.seconds() + " s");
    assertTrue(all.originCopies() > some.originCopies());
  }

  @Test
  void nodesThatAreLostSlowOrLateDoNotKeepItFromTheOthers() {
    SwarmOutcome outcome = run(100, 0.1, 0.2, 20);
    assertTrue(outcome.living().size() < 120 && outcome.living().size() > 80);
    assertTrue(outcome.seconds() < 6 * outcome.copy(), () -> outcome.seconds() + " s");
  }
}

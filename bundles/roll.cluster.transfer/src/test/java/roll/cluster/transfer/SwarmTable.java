package roll.cluster.transfer;

import java.util.Locale;

/** Prints how long a version takes to reach many nodes, as {@link SwarmSimulation} has it. */
final class SwarmTable {
  private static final long BYTES = 1_000_000_000;
  private static final double WIRE = 1e9 / 8;
  private static final double FAST = 25e9 / 8;

  private SwarmTable() {}

  /**
   * Without arguments all rows, which takes minutes; or one: workers, peers, shares of slow and of
   * lost workers, connections served at once, and late workers.
   */
  public static void main(String[] args) {
    System.out.println(
        "| workers | version | wire | peers | slow | lost | admitted | late | whole wires after |"
            + " copies | all after | origin sent | most of a node | wasted | requests of a node |");
    System.out.println("|" + "---|".repeat(15));
    if (args.length == 6) {
      print(
          new Swarm(
              Integer.parseInt(args[0]),
              BYTES,
              WIRE,
              Integer.parseInt(args[1]),
              Double.parseDouble(args[2]),
              Double.parseDouble(args[3]),
              Integer.parseInt(args[4]),
              Integer.parseInt(args[5]),
              1));
      return;
    }
    for (int admitted : new int[] {0, HeldVersion.SERVED}) {
      for (int workers : new int[] {1, 4, 16, 64, 256, 1000}) {
        print(new Swarm(workers, BYTES, WIRE, Pull.PEERS, 0, 0, admitted, 0, 1));
      }
    }
    print(new Swarm(1000, BYTES, WIRE, Pull.PEERS, 0.1, 0, HeldVersion.SERVED, 0, 1));
    print(new Swarm(1000, BYTES, WIRE, Pull.PEERS, 0, 0.1, HeldVersion.SERVED, 0, 1));
    print(new Swarm(1000, BYTES, WIRE, Pull.PEERS, 0.1, 0.1, HeldVersion.SERVED, 50, 1));
    for (int peers : new int[] {4, 8, 32}) {
      print(new Swarm(256, BYTES, WIRE, peers, 0, 0, HeldVersion.SERVED, 0, 1));
    }
    print(new Swarm(1000, 15 * BYTES, FAST, Pull.PEERS, 0, 0, HeldVersion.SERVED, 0, 1));
  }

  private static void print(Swarm swarm) {
    SwarmOutcome outcome = new SwarmSimulation(swarm).run();
    System.out.printf(
        Locale.ROOT,
        "| %d | %.0f GB | %.0f Gbit | %d | %.0f %% | %.0f %% | %d | %d | %.1f s | %.2f | %.1f s |"
            + " %.2f | %.2f | %.2f %% | %.0f |%n",
        swarm.workers(),
        swarm.bytes() / 1e9,
        swarm.wire() * 8 / 1e9,
        swarm.peers(),
        100 * swarm.slow(),
        100 * swarm.lost(),
        swarm.admitted(),
        swarm.late(),
        outcome.seconds(),
        outcome.seconds() / outcome.copy(),
        outcome.last(),
        outcome.originCopies(),
        outcome.mostCopies(),
        100 * outcome.wasted() / swarm.bytes() / swarm.workers(),
        outcome.requests());
  }
}

package roll.cluster.inference.pool;

import java.util.Locale;

/** Prints how many engines share the requests of a step, as {@link PoolSimulation} has it. */
final class PoolTable {
  private static final int EACH = 20;

  private PoolTable() {}

  /** Without arguments. */
  public static void main(String[] args) {
    System.out.println(
        "| engines | requests | slow | lost | late | time over ideal | again | most |");
    System.out.println("|---|---|---|---|---|---|---|---|");
    for (int engines : new int[] {1, 10, 100, 1000}) {
      print(engines, 0, 0, 0);
    }
    print(1000, 10, 0, 0);
    print(1000, 0, 100, 0);
    print(1000, 0, 0, 100);
    print(1000, 10, 100, 100);
  }

  private static void print(int engines, int slow, int lost, int late) {
    int works = EACH * engines;
    PoolSimulation.Outcome outcome = new PoolSimulation().run(engines, works, slow, lost, late);
    System.out.printf(
        Locale.ROOT,
        "| %d | %d | %d | %d | %d | %.2f | %d | %.2f |%n",
        engines,
        works,
        slow == 0 ? 0 : engines / slow,
        lost,
        late,
        outcome.time() / outcome.ideal(),
        outcome.again(),
        outcome.most());
  }
}

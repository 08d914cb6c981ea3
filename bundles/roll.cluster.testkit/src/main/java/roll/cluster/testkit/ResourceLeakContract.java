package roll.cluster.testkit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import roll.cluster.ClusterEngine;
import roll.cluster.Membership;
import roll.cluster.identity.Authority;

/**
 * Contract of a cluster engine: closed nodes leave no thread, socket or native memory. An engine's
 * test extends it.
 */
@Isolated
public abstract class ResourceLeakContract {
  private final TestNodes nodes = new TestNodes(Authority.create("test"));

  /** The cluster engine under test. */
  protected abstract ClusterEngine engine();

  @Test
  @Timeout(60)
  void nothingIsLeftOfTwoNodes() throws Exception {
    joinAndLeave(2);
  }

  @Test
  @Tag("slow")
  @Timeout(3600)
  void nothingIsLeftOfAThousandNodes() throws Exception {
    joinAndLeave(1000);
  }

  private void joinAndLeave(int times) throws Exception {
    ResourceUsage before = ResourceUsage.now();
    try (Membership first = engine().open(nodes.first("first"))) {
      leave(first, 1 + times / 20); // warms up class loading and compilation
      ResourceUsage some = ResourceUsage.settled();
      long start = System.nanoTime();
      leave(first, times);
      System.out.printf(
          "%d joins and leaves, %.2f s each: %s; then %s%n",
          times, (System.nanoTime() - start) / 1e9 / times, some, ResourceUsage.settled());
      ResourceUsage.assertNoMoreThan(some, first);
    }
    ResourceUsage.assertNoMoreThan(before, null);
  }

  private void leave(Membership first, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      engine().open(nodes.joining("second", first)).close();
    }
  }
}

package roll.cluster.nodes;

import java.time.Duration;
import roll.http.HttpListener;
import roll.runtime.nodes.FirstNode;

/**
 * A first node that is up.
 *
 * @param desk where nodes join
 * @param closed done between the ends of both
 */
record ListeningNode(
    HttpListener desk,
    FirstMembership membership,
    ToldMembers told,
    String joinLine,
    Runnable closed)
    implements FirstNode {
  /** Longer than any run. */
  private static final Duration FOREVER = Duration.ofDays(36_500);

  @Override
  public void await(int nodes) throws InterruptedException {
    var unused = await(nodes, FOREVER);
  }

  @Override
  public int await(int nodes, Duration limit) throws InterruptedException {
    return told.await(nodes, limit);
  }

  @Override
  public void close() {
    desk.close();
    closed.run();
    membership.close();
  }
}

package roll.cluster.nodes;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import roll.cluster.MemberEvent;
import roll.cluster.Membership;
import roll.http.HttpListener;
import roll.runtime.nodes.FirstNode;

/** A first node that is up. */
final class ListeningNode implements FirstNode {
  /** Longer than any run. */
  private static final Duration FOREVER = Duration.ofDays(36_500);

  private final HttpListener desk;
  private final Membership membership;
  private final String line;
  private final Consumer<String> say;
  private final Runnable closed;
  private boolean closing;
  private final Set<Long> others = new HashSet<>();

  /** A node that closes both, and does {@code closed} in between. */
  ListeningNode(
      HttpListener desk,
      Membership membership,
      String line,
      Consumer<String> say,
      Runnable closed) {
    this.desk = desk;
    this.membership = membership;
    this.line = line;
    this.say = say;
    this.closed = closed;
  }

  /** Tells of nodes from now on. */
  ListeningNode telling() {
    var unused = membership.listen(this::happened);
    return this;
  }

  private synchronized void happened(MemberEvent event) {
    if (closing || event.member().equals(membership.self())) {
      return;
    }
    long uid = event.member().uid();
    switch (event) {
      case MemberEvent.Joined(var member) -> {
        others.add(uid);
        say.accept("node " + member + " joined");
      }
      case MemberEvent.Unreachable(var member) -> say.accept("node " + member + " does not answer");
      case MemberEvent.Reachable(var member) -> say.accept("node " + member + " answers again");
      case MemberEvent.Removed(var member, boolean lost) -> {
        others.remove(uid);
        say.accept("node " + member + (lost ? " was lost" : " has left"));
      }
    }
    notifyAll();
  }

  @Override
  public String joinLine() {
    return line;
  }

  @Override
  public void await(int nodes) throws InterruptedException {
    var unused = await(nodes, FOREVER);
  }

  @Override
  public synchronized int await(int nodes, Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    int said = -1;
    while (others.size() + 1 < nodes && System.nanoTime() < end) {
      int missing = nodes - 1 - others.size();
      if (missing != said) {
        say.accept(
            "waiting for %d more %s: type the line above on another machine"
                .formatted(missing, missing == 1 ? "node" : "nodes"));
        said = missing;
      }
      TimeUnit.NANOSECONDS.timedWait(this, end - System.nanoTime());
    }
    return others.size() + 1;
  }

  @Override
  public void close() {
    synchronized (this) {
      closing = true;
    }
    desk.close();
    closed.run();
    membership.close();
  }
}

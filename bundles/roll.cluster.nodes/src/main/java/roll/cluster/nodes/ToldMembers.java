package roll.cluster.nodes;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.cluster.Member;
import roll.cluster.MemberEvent;
import roll.cluster.Membership;
import roll.cluster.Registration;

/** The nodes that have joined a first one, of which its user is told. */
final class ToldMembers {
  private final Consumer<String> say;
  private final Set<Member> others = new HashSet<>();
  private Consumer<String> arriving = name -> {};
  private @Nullable Registration registration;

  ToldMembers(Consumer<String> say) {
    this.say = say;
  }

  /** Also tells {@code arriving} the name of each node that joins. */
  synchronized void arriving(Consumer<String> arriving) {
    this.arriving = arriving;
    others.forEach(member -> arriving.accept(member.name()));
  }

  /** Tells of the nodes of {@code membership}, from now on. */
  synchronized void follow(Membership membership) {
    registration = membership.listen(event -> happened(membership, event));
  }

  /** Tells of nothing any more; who was there is not there any more. */
  synchronized void end() {
    if (registration != null) {
      registration.close();
      registration = null;
    }
    others.clear();
  }

  private synchronized void happened(Membership membership, MemberEvent event) {
    if (registration == null || event.member().equals(membership.self())) {
      return;
    }
    switch (event) {
      case MemberEvent.Joined(var member) -> {
        others.add(member);
        arriving.accept(member.name());
        say.accept("node " + member + " joined");
      }
      case MemberEvent.Unreachable(var member) -> say.accept("node " + member + " does not answer");
      case MemberEvent.Reachable(var member) -> say.accept("node " + member + " answers again");
      case MemberEvent.Removed(var member, boolean lost) -> {
        others.remove(member);
        say.accept("node " + member + (lost ? " was lost" : " has left"));
      }
    }
    notifyAll();
  }

  /**
   * Waits until so many nodes are there, the first one among them, but no longer than {@code
   * limit}; says whenever one is missing.
   *
   * @return how many are there
   */
  synchronized int await(int nodes, Duration limit) throws InterruptedException {
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
}

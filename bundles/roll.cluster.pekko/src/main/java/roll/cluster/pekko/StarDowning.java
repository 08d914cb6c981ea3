package roll.cluster.pekko;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.MemberStatus;
import org.jspecify.annotations.Nullable;
import roll.cluster.Member;

/**
 * Who is given up, by what one node sees itself: the first node gives up others that it does not
 * reach; any other node looks at the first one only, and ends when it does not reach it. What two
 * others see of each other decides nothing.
 *
 * <p>A member is silent while the failure detector of this node says so. Only that of the first
 * node goes into the gossip (see {@link Settings}): what is there keeps nodes from joining and
 * leaving.
 */
final class StarDowning {
  private static final Duration LOOK = Duration.ofMillis(200);

  /** How long a member must have been silent to be given up. */
  private static final long STABLE_NANOS = Duration.ofSeconds(4).toNanos();

  private final Cluster cluster;
  private final Roster roster;
  private final Supplier<@Nullable Member> first;
  private final Executor threads;
  private final Consumer<String> end;
  private final Map<Long, Long> silent = new HashMap<>();

  /**
   * Of one node.
   *
   * @param roster hears who is silent
   * @param first the first node; null while it is not known
   * @param end ends this node, which does not reach the first one; told why
   */
  StarDowning(
      Cluster cluster,
      Roster roster,
      Supplier<@Nullable Member> first,
      Executor threads,
      Consumer<String> end) {
    this.cluster = cluster;
    this.roster = roster;
    this.first = first;
    this.threads = threads;
    this.end = end;
  }

  /** Looks from now on, until the system ends. */
  void start(ActorSystem system) {
    var unused =
        system.scheduler().scheduleWithFixedDelay(LOOK, LOOK, this::look, system.dispatcher());
  }

  private synchronized void look() {
    Member head = first.get();
    if (head == null) {
      return;
    }
    long self = uid(cluster.selfMember());
    Set<Long> watched = new HashSet<>();
    for (org.apache.pekko.cluster.Member member : cluster.state().getMembers()) {
      long uid = uid(member);
      boolean mine = self == head.uid() ? uid != self : uid == head.uid();
      if (mine && member.status() != MemberStatus.down()) {
        watched.add(uid);
        look(head, member);
      }
    }
    silent.keySet().retainAll(watched);
  }

  private void look(Member head, org.apache.pekko.cluster.Member member) {
    long uid = uid(member);
    if (cluster.failureDetector().isAvailable(member.address())) {
      if (silent.remove(uid) != null) {
        roster.reachable(uid);
      }
      return;
    }
    long now = System.nanoTime();
    Long since = silent.putIfAbsent(uid, now);
    if (since == null) {
      roster.unreachable(uid);
      threads.execute(() -> probe(head, member));
    } else if (now - since > STABLE_NANOS) {
      giveUp(head, member, "which does not answer");
    }
  }

  /** A process that has ended will not come back as this member. */
  private void probe(Member head, org.apache.pekko.cluster.Member member) {
    if (DeathProbe.dead(PekkoMembership.member(member))) {
      giveUp(head, member, "whose process has ended");
    }
  }

  private void giveUp(Member head, org.apache.pekko.cluster.Member member, String why) {
    if (uid(member) == head.uid()) {
      end.accept("lost the first node, " + head + ", " + why);
    } else {
      cluster.down(member.address());
    }
  }

  private static long uid(org.apache.pekko.cluster.Member member) {
    return member.uniqueAddress().longUid();
  }
}

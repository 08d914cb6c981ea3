package roll.cluster.pekko;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
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
 * Decides which members are lost, in a star around the first node: the first node removes members
 * that it does not reach; every other node watches the first one only, and ends its own membership
 * when it does not reach it. Connections between two other nodes have no influence.
 *
 * <p>A member is unreachable while the failure detector of this node says so. Only that of the
 * first node is gossiped (see {@link PekkoSettings}), because unreachable members in the gossip
 * keep others from joining and leaving.
 */
final class StarDowning {
  private static final Duration INTERVAL = Duration.ofMillis(200);

  /** Time after which an unreachable member is removed. */
  private static final long STABLE_NANOS = Duration.ofSeconds(4).toNanos();

  private static final int PROBE_MILLIS = 500;

  private final Cluster cluster;
  private final MemberTable members;
  private final Supplier<@Nullable Member> first;
  private final Executor threads;
  private final Consumer<String> end;

  /** Time since when a member, by uid, is unreachable. */
  private final Map<Long, Long> unreachable = new HashMap<>();

  /**
   * Creates the downing decision of one node.
   *
   * @param members receives what is unreachable
   * @param first the first node; null while it is unknown
   * @param end ends the membership of this node, for the given reason
   */
  StarDowning(
      Cluster cluster,
      MemberTable members,
      Supplier<@Nullable Member> first,
      Executor threads,
      Consumer<String> end) {
    this.cluster = cluster;
    this.members = members;
    this.first = first;
    this.threads = threads;
    this.end = end;
  }

  /** Checks periodically until the system ends. */
  void start(ActorSystem system) {
    var unused =
        system
            .scheduler()
            .scheduleWithFixedDelay(INTERVAL, INTERVAL, this::check, system.dispatcher());
  }

  private synchronized void check() {
    Member head = first.get();
    if (head == null) {
      return;
    }
    long self = PekkoMembership.uid(cluster.selfMember());
    Set<Long> watched = new HashSet<>();
    for (org.apache.pekko.cluster.Member member : cluster.state().getMembers()) {
      long uid = PekkoMembership.uid(member);
      boolean mine = self == head.uid() ? uid != self : uid == head.uid();
      if (mine && member.status() != MemberStatus.down()) {
        watched.add(uid);
        check(head, member);
      }
    }
    unreachable.keySet().retainAll(watched);
  }

  private void check(Member head, org.apache.pekko.cluster.Member member) {
    long uid = PekkoMembership.uid(member);
    if (cluster.failureDetector().isAvailable(member.address())) {
      if (unreachable.remove(uid) != null) {
        members.reachable(uid);
      }
      return;
    }
    long now = System.nanoTime();
    Long since = unreachable.putIfAbsent(uid, now);
    if (since == null) {
      members.unreachable(uid);
      threads.execute(
          () -> {
            if (refusesConnections(PekkoMembership.member(member))) {
              remove(head, member, "whose process has ended");
            }
          });
    } else if (now - since > STABLE_NANOS) {
      remove(head, member, "which does not answer");
    }
  }

  /**
   * Whether the process of an unreachable member has ended: then its machine refuses connections to
   * its port. A machine that is off or disconnected, and a process that was stopped, do not answer.
   */
  private static boolean refusesConnections(Member member) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(member.host(), member.port()), PROBE_MILLIS);
      return false;
    } catch (ConnectException e) {
      return "Connection refused".equals(e.getMessage());
    } catch (IOException e) {
      return false;
    }
  }

  private void remove(Member head, org.apache.pekko.cluster.Member member, String why) {
    if (PekkoMembership.uid(member) == head.uid()) {
      end.accept("lost the first node, " + head + ", " + why);
    } else {
      cluster.down(member.address());
    }
  }
}

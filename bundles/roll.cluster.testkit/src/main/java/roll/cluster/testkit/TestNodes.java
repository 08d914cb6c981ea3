package roll.cluster.testkit;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.cluster.ClusterNode;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.MembershipConfig;
import roll.cluster.identity.Authority;
import roll.cluster.identity.Identity;

/** Configurations on loopback for the nodes of a test. */
final class TestNodes {
  static final String RUN = "test";
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final Authority authority;

  TestNodes(Authority authority) {
    this.authority = authority;
  }

  Identity identity(String node) {
    return authority.identity(node);
  }

  ClusterNode node(String name) {
    return new ClusterNode(
        name, "0.2.0", 2, List.of("cpu:0", "cpu:1"), List.of("actor_infer", "reference"));
  }

  MembershipConfig first(String name) {
    return first(name, 0);
  }

  MembershipConfig first(String name, int port) {
    return place(RUN, name, port, List.of(), identity(name), LIMIT);
  }

  MembershipConfig joining(String name, Membership first) {
    return place(RUN, name, first, identity(name), LIMIT);
  }

  MembershipConfig place(
      String run, String name, Membership first, @Nullable Identity identity, Duration limit) {
    return place(run, name, 0, List.of(address(first.self())), identity, limit);
  }

  private MembershipConfig place(
      String run,
      String name,
      int port,
      List<InetSocketAddress> seeds,
      @Nullable Identity identity,
      Duration limit) {
    return new MembershipConfig(
        run,
        node(name),
        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port),
        seeds,
        identity,
        0,
        limit);
  }

  static InetSocketAddress address(Member member) {
    return new InetSocketAddress(InetAddress.ofLiteral(member.host()), member.port());
  }
}

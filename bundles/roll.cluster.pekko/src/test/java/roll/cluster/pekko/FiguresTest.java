package roll.cluster.pekko;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import roll.cluster.ClusterNode;
import roll.cluster.Membership;
import roll.cluster.MembershipConfig;
import roll.cluster.identity.Authority;

/** Prints how long things take between two nodes of one process, with mutual TLS. */
@Tag("processes")
@Tag("slow")
class FiguresTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final Authority authority = Authority.create("test");
  private final PekkoEngine engine = new PekkoEngine();

  @Test
  void figures() throws Exception {
    for (int i = 0; i < 5; i++) {
      long t = System.nanoTime();
      try (Membership first = engine.open(place("first", List.of()))) {
        say("first node up", t);
        InetSocketAddress seed =
            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), first.self().port());
        t = System.nanoTime();
        try (Membership second = engine.open(place("second", List.of(seed)))) {
          say("second node joined", t);
          second.handle("echo", (_, bytes) -> CompletableFuture.completedFuture(bytes));
          calls(first, second, 64, 2000);
          calls(first, second, 64 << 10, 500);
          calls(first, second, 1 << 20, 50);
          t = System.nanoTime();
        }
        say("second node left", t);
        t = System.nanoTime();
      }
      say("first node closed", t);
    }
  }

  private static void calls(Membership from, Membership to, int bytes, int times) throws Exception {
    long[] took = new long[times];
    for (int i = 0; i < times; i++) {
      long t = System.nanoTime();
      from.call(to.self(), "echo", new byte[bytes], LIMIT).get();
      took[i] = System.nanoTime() - t;
    }
    Arrays.sort(took);
    System.out.printf(
        "call of %d bytes: median %.3f ms, 99 %% %.3f ms%n",
        bytes, took[times / 2] / 1e6, took[times * 99 / 100] / 1e6);
  }

  private static void say(String what, long since) {
    System.out.printf("%s: %.2f s%n", what, (System.nanoTime() - since) / 1e9);
  }

  private MembershipConfig place(String name, List<InetSocketAddress> seeds) {
    return new MembershipConfig(
        "test",
        new ClusterNode(name, "0.2.0", 1, List.of(), List.of()),
        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0),
        seeds,
        authority.identity(name),
        0,
        LIMIT);
  }
}

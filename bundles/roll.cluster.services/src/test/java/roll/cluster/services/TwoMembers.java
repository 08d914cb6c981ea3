package roll.cluster.services;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import roll.cluster.ClusterNode;
import roll.cluster.Membership;
import roll.cluster.MembershipConfig;
import roll.cluster.pekko.PekkoEngine;

/** Two members of a run in this process, in the clear on loopback. */
final class TwoMembers implements AutoCloseable {
  static final Duration LIMIT = Duration.ofSeconds(30);

  final Membership first;
  final Membership second;

  /** A service of a node. */
  interface Desk {
    CompletableFuture<Map<String, Double>> weigh(List<String> names, @Nullable String unit);

    CompletableFuture<byte[]> read(int bytes);

    CompletableFuture<Void> fail(String why);

    CompletableFuture<Void> overflow();

    void tell(String word);
  }

  /** Implementation of the service for one caller. */
  record Answers(BlockingQueue<String> told, String from) implements Desk {
    @Override
    public CompletableFuture<Map<String, Double>> weigh(List<String> names, @Nullable String unit) {
      return CompletableFuture.completedFuture(Map.of(from + names + unit, (double) names.size()));
    }

    @Override
    public CompletableFuture<byte[]> read(int bytes) {
      return CompletableFuture.completedFuture(new byte[bytes]);
    }

    @Override
    public CompletableFuture<Void> fail(String why) {
      throw new IllegalArgumentException(why);
    }

    @Override
    public CompletableFuture<Void> overflow() {
      throw new StackOverflowError("too deep");
    }

    @Override
    public void tell(String word) {
      told.add(from + word);
    }
  }

  TwoMembers() throws Exception {
    first = new PekkoEngine().open(place("first", 0));
    second = new PekkoEngine().open(place("second", first.self().port()));
    await(() -> first.members().size() == 2);
  }

  private static MembershipConfig place(String name, int first) {
    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
    return new MembershipConfig(
        "test",
        new ClusterNode(name, "0.2.0", 1, List.of(), List.of()),
        new InetSocketAddress(loopback, 0),
        first == 0 ? List.of() : List.of(new InetSocketAddress(loopback, first)),
        null,
        0,
        LIMIT);
  }

  /** Waits until {@code holds}. */
  static void await(Callable<Boolean> holds) {
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(holds);
  }

  @Override
  public void close() {
    second.close();
    first.close();
  }
}

package roll.cluster.inference.weights;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import roll.cluster.ClusterNode;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.MembershipConfig;
import roll.cluster.identity.Authority;
import roll.cluster.pekko.PekkoEngine;
import roll.cluster.services.RemoteContract;
import roll.cluster.transfer.TransferPeer;

/** A member on loopback that offers weights or takes them. */
final class WeightNode implements AutoCloseable {
  /** A process that pulls offered weights. */
  @FunctionalInterface
  interface Receiver {
    CompletableFuture<Void> take(WeightOffer offer);

    /** Completes when it answers. */
    default CompletableFuture<Void> ready() {
      return CompletableFuture.completedFuture(null);
    }
  }

  private static final RemoteContract<Receiver> RECEIVER =
      new RemoteContract<>("test", Receiver.class);

  final Membership membership;
  final WeightTransfer transfer;
  final ReceivedWeights received;

  /**
   * A node.
   *
   * @param first port of the first node; 0 to be it
   * @param authority for mutual TLS; null for bytes in the clear
   */
  WeightNode(String name, int first, @Nullable Authority authority) throws Exception {
    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
    membership =
        new PekkoEngine()
            .open(
                new MembershipConfig(
                    "test",
                    new ClusterNode(name, "0.2.0", 1, List.of(), List.of()),
                    new InetSocketAddress(loopback, 0),
                    first == 0 ? List.of() : List.of(new InetSocketAddress(loopback, first)),
                    authority == null ? null : authority.identity(name),
                    0,
                    Duration.ofSeconds(30)));
    transfer = new WeightTransfer(membership);
    received = new ReceivedWeights(transfer, "actor_infer");
  }

  int port() {
    return membership.self().port();
  }

  TransferPeer peer() {
    return WeightTransfer.peer(membership.self(), transfer.port());
  }

  /** The first member, as this node sees it. */
  Member first() {
    return membership.members().getFirst();
  }

  /** {@code offer} with another port. */
  static WeightOffer at(int port, WeightOffer offer) {
    return new WeightOffer(
        offer.channel(),
        offer.epoch(),
        offer.number(),
        port,
        offer.spec(),
        offer.version(),
        offer.narrow(),
        offer.peers());
  }

  /**
   * Runs a process that pulls offered weights until it is killed. Argument: port of the first node.
   */
  public static void main(String[] arguments) throws Exception {
    WeightNode node = new WeightNode("far", Integer.parseInt(arguments[0]), null);
    var unusedToo = RECEIVER.serve(node.membership, from -> offer -> node.take(from, offer));
    var unused = node.membership.ended().get();
    System.exit(0);
  }

  private CompletableFuture<Void> take(Member from, WeightOffer offer) {
    try {
      var unused = received.pull(from, offer);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return CompletableFuture.completedFuture(null);
  }

  /** Offers weights to {@code member}, which runs {@link #main}; completes when they are pulled. */
  CompletableFuture<Void> tell(Member member, WeightOffer offer) {
    return RECEIVER.of(membership, member, Duration.ofMinutes(1)).take(offer);
  }

  /** Waits until another process is a member and answers, and returns it. */
  Member awaitReceiver() {
    Duration limit = Duration.ofMinutes(1);
    Awaitility.await().atMost(limit).until(() -> membership.members().size() > 1);
    Member member = membership.members().getLast();
    Receiver receiver = RECEIVER.of(membership, member, limit);
    Awaitility.await()
        .atMost(limit)
        .ignoreExceptions()
        .until(
            () -> {
              receiver.ready().join();
              return true;
            });
    return member;
  }

  @Override
  public void close() {
    received.close();
    transfer.close();
    membership.close();
  }
}

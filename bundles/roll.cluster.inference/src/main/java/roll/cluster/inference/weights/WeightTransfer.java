package roll.cluster.inference.weights;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.MembershipConfig;
import roll.cluster.transfer.TransferLimits;
import roll.cluster.transfer.TransferNode;
import roll.cluster.transfer.TransferPeer;
import roll.cluster.transfer.TransferPlace;

/**
 * Takes weights from the node that has them to those that want them, over connections of their own
 * with the certificates of the run. They are pulled: who offers waits for nobody.
 */
public final class WeightTransfer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WeightTransfer.class);

  private final TransferNode node;
  private final long epoch;
  private final WeightLedger ledger = new WeightLedger();
  private final AtomicLong channels = new AtomicLong();

  private WeightTransfer(TransferNode node, long epoch) {
    this.node = node;
    this.epoch = epoch;
  }

  /**
   * Listens at the address of the member, at the port after its own; where that is taken, at any.
   *
   * @throws IOException if the address cannot be listened at
   */
  public static WeightTransfer open(Membership membership) throws IOException {
    InetAddress address = InetAddress.ofLiteral(membership.self().host());
    int next = membership.self().port() + 1;
    TransferNode node;
    try {
      node = listen(membership, new InetSocketAddress(address, next & 0xffff));
    } catch (IOException e) {
      if (!(e.getCause() instanceof BindException)) {
        throw e;
      }
      node = listen(membership, new InetSocketAddress(address, 0));
      LOG.info("port {} is taken; weights are served at {}", next, node.address());
    }
    return new WeightTransfer(node, membership.epoch());
  }

  private static TransferNode listen(Membership membership, InetSocketAddress at)
      throws IOException {
    MembershipConfig config = membership.config();
    return TransferNode.open(
        new TransferPlace(
            config.run(),
            membership.self().name(),
            at,
            config.identity(),
            config.identity() == null,
            TransferLimits.standard()),
        LOG::warn);
  }

  /** Where weights are served. */
  public int port() {
    return node.address().getPort();
  }

  /** A channel of its own for the weights of {@code role}. */
  public WeightChannel channel(String role) {
    String name = role.replaceAll("[^A-Za-z0-9_-]", "_");
    String start = "w" + channels.incrementAndGet() + "." + name;
    String channel = start.substring(0, Math.min(40, start.length()));
    return new WeightChannel(node, channel, role, epoch, ledger);
  }

  /** A member that serves weights at {@code port}. */
  public static TransferPeer peer(Member member, int port) {
    return new TransferPeer(
        member.name(), new InetSocketAddress(InetAddress.ofLiteral(member.host()), port));
  }

  /** What is known of versions here. */
  public WeightLedger ledger() {
    return ledger;
  }

  /** Pulls and serves. */
  TransferNode node() {
    return node;
  }

  /** Ends all offers and pulls. */
  @Override
  public void close() {
    node.close();
  }
}

package roll.cluster.inference.weights;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.MembershipConfig;
import roll.cluster.NodeFacts;
import roll.cluster.transfer.TransferConfig;
import roll.cluster.transfer.TransferLimits;
import roll.cluster.transfer.TransferNode;
import roll.cluster.transfer.TransferPeer;

/**
 * Transfers weights between nodes over connections of their own, with the certificates of the run.
 * Weights are pulled, so the node that offers them waits for none.
 */
@Component(
    name = "roll.cluster.inference.weights",
    service = {WeightTransfer.class, NodeFacts.class})
public final class WeightTransfer implements NodeFacts {
  private static final Logger LOG = LoggerFactory.getLogger(WeightTransfer.class);

  private final TransferNode node;
  private final long epoch;
  private final WeightStatus status = new WeightStatus();
  private final AtomicLong channels = new AtomicLong();

  /**
   * Listens at the address of the member, at the port after its own; at any port if that is taken.
   *
   * @throws IOException if the address cannot be listened at
   */
  @Activate
  public WeightTransfer(@Reference Membership membership) throws IOException {
    InetAddress address = InetAddress.ofLiteral(membership.self().host());
    int next = membership.self().port() + 1;
    this.epoch = membership.epoch();
    TransferNode opened;
    try {
      opened = listen(membership, new InetSocketAddress(address, next & 0xffff));
    } catch (IOException e) {
      if (!(e.getCause() instanceof BindException)) {
        throw e;
      }
      opened = listen(membership, new InetSocketAddress(address, 0));
      LOG.info("port {} is taken; weights are served at {}", next, opened.address());
    }
    this.node = opened;
  }

  private static TransferNode listen(Membership membership, InetSocketAddress at)
      throws IOException {
    MembershipConfig config = membership.config();
    return TransferNode.open(
        new TransferConfig(
            config.run(),
            membership.self().name(),
            at,
            config.identity(),
            config.identity() == null,
            TransferLimits.standard()),
        LOG::warn);
  }

  /** Returns the port where weights are served. */
  public int port() {
    return node.address().getPort();
  }

  /** Creates a channel for the weights of {@code role}. */
  public WeightChannel channel(String role) {
    String name = role.replaceAll("[^A-Za-z0-9_-]", "_");
    String start = "w" + channels.incrementAndGet() + "." + name;
    String channel = start.substring(0, Math.min(40, start.length()));
    return new WeightChannel(node, channel, role, epoch, status);
  }

  /** Returns the address at which {@code member} serves weights. */
  public static TransferPeer peer(Member member, int port) {
    return new TransferPeer(
        member.name(), new InetSocketAddress(InetAddress.ofLiteral(member.host()), port));
  }

  /** Returns the record of versions on this node. */
  public WeightStatus status() {
    return status;
  }

  /** Returns the transport of the weight transfer. */
  TransferNode node() {
    return node;
  }

  @Override
  public Map<String, String> facts() {
    return status.facts();
  }

  /** Ends all offers and pulls. */
  @Deactivate
  public void close() {
    node.close();
  }
}

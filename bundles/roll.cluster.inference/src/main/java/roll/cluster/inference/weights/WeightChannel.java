package roll.cluster.inference.weights;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.ReadableWeights;
import roll.cluster.transfer.PublishedVersion;
import roll.cluster.transfer.TransferNode;
import roll.cluster.transfer.TransferPeer;
import roll.cluster.transfer.VersionId;

/**
 * Versions of one role's weights for the nodes with that role. The newest is offered; the one
 * before is kept while nodes are pulling it, an older one is not. So there are two copies at most.
 * Thread-safe.
 */
public final class WeightChannel implements AutoCloseable {
  private static final String ALL = ".all";
  private static final String ADAPTERS = ".adapters";

  private final TransferNode node;
  private final String name;
  private final String role;
  private final WeightStatus status;
  private final long epoch;
  private final List<TransferPeer> peers = new ArrayList<>();
  private @Nullable PublishedWeights before;
  private @Nullable PublishedWeights current;
  private long number;
  private int models;

  /** Creates a channel without weights; {@code name} is unique. */
  WeightChannel(TransferNode node, String name, String role, long epoch, WeightStatus status) {
    this.node = node;
    this.name = name;
    this.role = role;
    this.epoch = epoch;
    this.status = status;
  }

  /** Returns the name of the transfer channel for all parameters. */
  static String all(String channel) {
    return channel + ALL;
  }

  /** Returns the name of the transfer channel for the adapters alone. */
  static String adapters(String channel) {
    return channel + ADAPTERS;
  }

  /** Adds a node that pulls the weights and passes them on. */
  public synchronized void enter(TransferPeer peer) {
    peers.add(peer);
  }

  /** Removes a node from the weight channel: other nodes pull from it no more. */
  public synchronized void leave(TransferPeer peer) {
    peers.remove(peer);
  }

  /**
   * Copies weights as f32, which must not change until this returns, and offers them.
   *
   * @param narrow whether the nodes compute in bf16; numbers are then rounded as they are sent
   */
  public synchronized PublishedWeights publish(ReadableWeights weights, boolean narrow) {
    WeightLayout layout = WeightLayout.of(weights.spec(), narrow);
    PublishedWeights last = current;
    if (last == null || !last.layout.equals(layout)) {
      models++;
    }
    String channel = name + "." + models;
    number++;
    MemorySegment[] copied = {MemorySegment.NULL};
    PublishedVersion all = publish(all(channel), layout, weights, copy -> copied[0] = copy);
    WeightLayout alone = layout.adaptersAlone();
    PublishedVersion adapters =
        alone == null ? null : publish(adapters(channel), alone, weights, copy -> {});
    if (before != null) {
      before.retire();
    }
    before = last;
    if (last != null && !last.channel.equals(channel)) {
      last.retire();
    }
    PublishedWeights made =
        new PublishedWeights(
            channel,
            number,
            layout,
            WeightLayout.of(weights.spec(), false).image(copied[0], List.of(), weights.version()),
            all,
            adapters);
    current = made;
    status.published(role, weights.version());
    return made;
  }

  private PublishedVersion publish(
      String channel,
      WeightLayout layout,
      ReadableWeights weights,
      Consumer<MemorySegment> copied) {
    VersionId id = new VersionId(channel, epoch, number);
    return node.publishCopy(
        layout.manifest(id, weights.version()),
        layout.numbers() * Float.BYTES,
        layout.reader(weights),
        copy -> {
          copied.accept(copy);
          return layout.sent(copy);
        });
  }

  /** Returns the offer of a version to one node. */
  public synchronized WeightOffer offer(PublishedWeights published, TransferPeer peer) {
    return new WeightOffer(
        published.channel,
        epoch,
        published.number,
        node.address().getPort(),
        published.layout.spec(),
        published.version(),
        published.layout.narrow(),
        TransferPeer.above(peers, peer));
  }

  /** Ends all offers of the weight channel. */
  @Override
  public synchronized void close() {
    if (before != null) {
      before.retire();
      before = null;
    }
    if (current != null) {
      current.retire();
      current = null;
    }
    peers.clear();
    status.ended(role);
  }
}

package roll.cluster.inference.weights;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.ReadableWeights;
import roll.cluster.transfer.Publication;
import roll.cluster.transfer.TransferNode;
import roll.cluster.transfer.TransferPeer;
import roll.cluster.transfer.VersionId;
import roll.cluster.transfer.VersionReader;

/**
 * The weights of one role, version after version, for the nodes that play it. The newest is
 * offered; the one before is kept for those who are pulling it, an older one for nobody: at most
 * two copies are there. Can be used by all threads.
 */
public final class WeightChannel implements AutoCloseable {
  private static final String ALL = ".all";
  private static final String ADAPTERS = ".adapters";

  private final TransferNode node;
  private final String name;
  private final String role;
  private final WeightLedger ledger;
  private final long epoch;
  private final List<TransferPeer> takers = new ArrayList<>();
  private @Nullable PublishedWeights before;
  private @Nullable PublishedWeights current;
  private long number;
  private int models;

  /** Nothing yet; {@code name} is no other channel's. */
  WeightChannel(TransferNode node, String name, String role, long epoch, WeightLedger ledger) {
    this.node = node;
    this.name = name;
    this.role = role;
    this.epoch = epoch;
    this.ledger = ledger;
  }

  /** The name under which all parameters of a version of {@code channel} are published. */
  static String all(String channel) {
    return channel + ALL;
  }

  /** The name under which only its adapters are. */
  static String adapters(String channel) {
    return channel + ADAPTERS;
  }

  /**
   * A node that takes the weights of a channel, and has them for others, until it is closed.
   *
   * @param peer where it serves them
   * @param channel whose weights
   * @param atEnd what else is to be done at the end
   */
  public record Taker(TransferPeer peer, WeightChannel channel, Runnable atEnd)
      implements AutoCloseable {
    /** A node that takes them from now on. */
    public Taker {
      channel.enter(peer);
    }

    @Override
    public void close() {
      channel.leave(peer);
      atEnd.run();
    }
  }

  private synchronized void enter(TransferPeer taker) {
    takers.add(taker);
  }

  private synchronized void leave(TransferPeer taker) {
    takers.remove(taker);
  }

  /**
   * Copies weights as f32, which must not change until this returns, and offers them.
   *
   * @param narrow whether those who take them compute in bf16; numbers are rounded to the nearest
   *     when they are sent
   */
  public synchronized PublishedWeights publish(ReadableWeights weights, boolean narrow) {
    WeightLayout layout = WeightLayout.of(weights.spec(), narrow);
    PublishedWeights last = current;
    if (last == null || !last.layout().equals(layout)) {
      models++;
    }
    String channel = name + "." + models;
    number++;
    MemorySegment[] copied = {MemorySegment.NULL};
    Publication all = publish(all(channel), layout, weights, copy -> copied[0] = copy);
    WeightLayout alone = layout.adaptersAlone();
    Publication adapters =
        alone == null ? null : publish(adapters(channel), alone, weights, copy -> {});
    if (before != null) {
      before.retire();
    }
    before = last;
    if (last != null && !last.channel().equals(channel)) {
      last.retire();
    }
    PublishedWeights made =
        new PublishedWeights(
            channel, number, layout, layout.image(copied[0], weights.version()), all, adapters);
    current = made;
    ledger.published(role, weights.version());
    return made;
  }

  private Publication publish(
      String channel,
      WeightLayout layout,
      ReadableWeights weights,
      Consumer<MemorySegment> copied) {
    VersionId id = new VersionId(channel, epoch, number);
    return node.publishCopy(
        layout.manifest(id, weights.version()),
        layout.numbers() * Float.BYTES,
        new ParameterReader(layout, weights),
        copy -> {
          copied.accept(copy);
          return layout.narrow() ? new RoundingReader(copy) : VersionReader.of(copy);
        });
  }

  /** What {@code taker} is told of a version: how it is pulled, and from which others too. */
  public synchronized WeightOffer offer(PublishedWeights published, TransferPeer taker) {
    return new WeightOffer(
        published.channel(),
        epoch,
        published.number(),
        node.address().getPort(),
        published.layout().spec(),
        published.version(),
        published.layout().narrow(),
        TransferPeer.above(takers, taker));
  }

  /** Offers nothing more. */
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
    takers.clear();
    ledger.ended(role);
  }
}

package roll.cluster.inference.weights;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import roll.cluster.Member;
import roll.cluster.transfer.PullReport;
import roll.cluster.transfer.Pulled;
import roll.cluster.transfer.TransferPeer;
import roll.cluster.transfer.VersionId;

/**
 * The weights that a session has got from another node, one version over the other in the same
 * memory, from where further nodes pull them. After the first time only adapters come, where there
 * are some.
 */
public final class ReceivedWeights implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final WeightTransfer transfer;
  private final String role;
  private final ReceivingMemory all = new ReceivingMemory();
  private final ReceivingMemory adapters = new ReceivingMemory();
  private final AtomicReference<@Nullable Thread> pulling = new AtomicReference<>();
  private String channel = "";
  private long number;
  private @Nullable WeightImage image;
  private volatile boolean closed;

  /** None yet, for {@code role}. */
  public ReceivedWeights(WeightTransfer transfer, String role) {
    this.transfer = transfer;
    this.role = role;
  }

  /**
   * What was pulled.
   *
   * @param image it, until the next is pulled
   * @param report how that went; null where it was here already
   */
  public record Receipt(WeightImage image, @Nullable PullReport report) {}

  /**
   * Pulls what {@code from} offers, or what has replaced it; waits for it. Nobody reads what was
   * pulled before any more.
   *
   * @throws UncheckedIOException if it is not to be had; one line that says why
   * @throws InterruptedException if this was closed meanwhile
   */
  public synchronized Receipt pull(Member from, WeightOffer offer) throws InterruptedException {
    WeightImage last = image;
    boolean follows = last != null && channel.equals(offer.channel());
    if (last != null && follows && number >= offer.number()) {
      return new Receipt(last, null);
    }
    WeightLayout layout = WeightLayout.of(offer.spec(), offer.narrow());
    WeightLayout alone = layout.adaptersAlone();
    image = null;
    pulling.set(Thread.currentThread());
    try {
      if (closed) {
        throw new InterruptedException("closed");
      }
      return last != null && follows && alone != null
          ? pull(
              from, offer, WeightChannel.adapters(offer.channel()), alone, adapters, last.parts())
          : pull(from, offer, WeightChannel.all(offer.channel()), layout, all, List.of());
    } catch (IOException e) {
      throw new UncheckedIOException("weights do not come: " + e.getMessage(), e);
    } finally {
      pulling.set(null);
    }
  }

  /** What was pulled is computed with now. */
  public void taken(Receipt receipt) {
    transfer.ledger().taken(role, receipt.image().version(), receipt.report());
  }

  private Receipt pull(
      Member from,
      WeightOffer offer,
      String name,
      WeightLayout layout,
      ReceivingMemory to,
      List<MemorySegment> base)
      throws IOException, InterruptedException {
    TransferPeer origin = WeightTransfer.peer(from, offer.port());
    MemorySegment memory = to.empty(layout.bytes());
    Pulled pulled =
        transfer
            .node()
            .pull(
                new VersionId.Wanted(name, offer.epoch(), offer.number(), LIMIT),
                origin,
                offer.peers(),
                manifest -> {
                  layout.version(manifest); // of this model, and so as long as its memory
                  return memory;
                });
    to.holds(pulled);
    WeightImage made =
        new WeightImage(
            offer.spec(),
            layout.version(pulled.manifest()),
            layout.narrow(),
            layout.parts(memory, base));
    channel = offer.channel();
    number = pulled.manifest().id().number();
    image = made;
    return new Receipt(made, pulled.report());
  }

  /** Ends a pull, serves nothing more and frees the memory, which nobody reads any more. */
  @Override
  public void close() {
    closed = true;
    Thread thread = pulling.get();
    if (thread != null) {
      thread.interrupt();
    }
    synchronized (this) {
      image = null;
      all.close();
      adapters.close();
      transfer.ledger().ended(role);
    }
  }
}

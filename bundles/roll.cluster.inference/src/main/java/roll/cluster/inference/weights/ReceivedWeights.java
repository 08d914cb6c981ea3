package roll.cluster.inference.weights;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import roll.cluster.Member;
import roll.cluster.transfer.PullReport;
import roll.cluster.transfer.PulledVersion;
import roll.cluster.transfer.TransferPeer;
import roll.cluster.transfer.VersionId;

/**
 * Weights that a session has pulled from another node, each version over the last one in the same
 * memory, from which other nodes pull them, too. After the first pull only adapters are pulled, if
 * the model has them.
 */
public final class ReceivedWeights implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final WeightTransfer transfer;
  private final String role;
  private final Memory all = new Memory();
  private final Memory adapters = new Memory();
  private final AtomicReference<@Nullable Thread> pulling = new AtomicReference<>();
  private String channel = "";
  private long number;
  private @Nullable NativeWeights image;
  private volatile boolean closed;

  /** Creates memory for the weights of {@code role}, without any yet. */
  public ReceivedWeights(WeightTransfer transfer, String role) {
    this.transfer = transfer;
    this.role = role;
  }

  /** Native memory for versions of one size, and the version in it. */
  private static final class Memory {
    private @Nullable Arena arena;
    private MemorySegment segment = MemorySegment.NULL;
    private @Nullable PulledVersion pulled;

    /** Returns memory of that size, which no other node reads any more. */
    MemorySegment clear(long bytes) {
      if (pulled != null) {
        pulled.close();
        pulled = null;
      }
      if (arena == null || segment.byteSize() != bytes) {
        free();
        Arena made = Arena.ofShared();
        arena = made;
        segment = made.allocate(bytes, Long.BYTES);
      }
      return segment;
    }

    void free() {
      if (pulled != null) {
        pulled.close();
        pulled = null;
      }
      if (arena != null) {
        arena.close();
        arena = null;
      }
      segment = MemorySegment.NULL;
    }
  }

  /**
   * Result of a pull.
   *
   * @param image the weights, valid until the next pull
   * @param report figures of the pull; null if the weights were here already
   */
  public record Receipt(NativeWeights image, @Nullable PullReport report) {}

  /**
   * Pulls the offered version or a newer one, and waits for it. The image of the last pull must not
   * be in use any more.
   *
   * @throws UncheckedIOException if it cannot be pulled; one line
   * @throws InterruptedException if this was closed meanwhile
   */
  public synchronized Receipt pull(Member from, WeightOffer offer) throws InterruptedException {
    NativeWeights last = image;
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

  /** Records that the session uses the pulled weights now. */
  public void taken(Receipt receipt) {
    transfer.status().taken(role, receipt.image().version(), receipt.report());
  }

  private Receipt pull(
      Member from,
      WeightOffer offer,
      String name,
      WeightLayout layout,
      Memory to,
      List<MemorySegment> base)
      throws IOException, InterruptedException {
    TransferPeer origin = WeightTransfer.peer(from, offer.port());
    MemorySegment memory = to.clear(layout.bytes());
    PulledVersion pulled =
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
    to.pulled = pulled;
    NativeWeights made = layout.image(memory, base, layout.version(pulled.manifest()));
    channel = offer.channel();
    number = pulled.manifest().id().number();
    image = made;
    return new Receipt(made, pulled.report());
  }

  /** Ends a running pull, serves nothing more and frees the memory. */
  @Override
  public void close() {
    closed = true;
    Thread thread = pulling.get();
    if (thread != null) {
      thread.interrupt();
    }
    synchronized (this) {
      image = null;
      all.free();
      adapters.free();
      transfer.status().ended(role);
    }
  }
}

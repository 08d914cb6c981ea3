package roll.cluster.transfer;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.cluster.transfer.wire.Dialer;
import roll.cluster.transfer.wire.Sockets;

/** Pulls one version, or the one that replaces it meanwhile. */
final class Pull {
  /** Most peers that are pulled from. */
  static final int PEERS = 16;

  private final TransferPlace place;
  private final Dialer dialer;
  private final VersionShelf shelf;
  private final Consumer<String> notices;
  private final VersionId.Wanted wanted;
  private final TransferPeer origin;
  private final List<TransferPeer> peers;
  private final Function<Manifest, ChunkSink> sinks;
  private final AtomicInteger requests = new AtomicInteger();
  private final long begun = System.nanoTime();

  Pull(
      TransferPlace place,
      Sockets sockets,
      VersionShelf shelf,
      Consumer<String> notices,
      VersionId.Wanted wanted,
      TransferPeer origin,
      List<TransferPeer> peers,
      Function<Manifest, ChunkSink> sinks) {
    this.place = place;
    this.shelf = shelf;
    this.notices = notices;
    this.wanted = wanted;
    this.origin = origin;
    this.peers = peers;
    this.sinks = sinks;
    Duration limit = place.limits().greeting();
    this.dialer = new Dialer(sockets, PeerSession.PROTOCOL, place.run(), place.node(), limit);
  }

  Pulled run() throws IOException, InterruptedException {
    for (int replaced = 0; ; replaced++) {
      try (ManifestStream stream =
          new ManifestStream(dialer, origin, place.limits(), requests, wanted)) {
        Pulled done = attempt(stream, replaced);
        if (done != null) {
          return done;
        }
      }
    }
  }

  private @Nullable Pulled attempt(ManifestStream stream, int replaced)
      throws IOException, InterruptedException {
    ChunkSink sink = sinks.apply(stream.manifest());
    HeldVersion held = held(stream, sink);
    long seed = 31L * place.node().hashCode() + stream.manifest().id().hashCode();
    ChunkPool pool =
        new ChunkPool(
            stream.manifest(),
            stream.digests(),
            origin,
            some(peers, seed, PEERS),
            place.limits(),
            seed,
            requests,
            notices,
            System::nanoTime);
    List<SourceWorker> workers = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    threads.add(Thread.ofVirtual().name("roll-pull-manifest").start(() -> stream.follow(pool)));
    for (ChunkSource source : pool.sources()) {
      for (int i = 0; i < place.limits().connections(); i++) {
        SourceWorker worker =
            new SourceWorker(pool, source, i == 0, dialer, place.limits(), sink, held);
        workers.add(worker);
        String name = "roll-pull-" + source.peer().node();
        threads.add(Thread.ofVirtual().name(name).start(worker));
      }
    }
    boolean done = false;
    try {
      done = pool.await();
    } finally {
      pool.fail(new IOException("the pull has ended"));
      stream.close();
      workers.forEach(SourceWorker::close);
      end(threads);
      if (!done && held != null) {
        shelf.retire(held, Duration.ZERO);
        held.released().join();
      }
    }
    return done ? new Pulled(stream.manifest(), report(pool, replaced), shelf, held) : null;
  }

  /** What others may pull from here; null if the sink cannot be read. */
  private @Nullable HeldVersion held(ManifestStream stream, ChunkSink sink) {
    VersionReader reader = sink.reader();
    if (reader == null) {
      return null;
    }
    HeldVersion held = new HeldVersion(stream.manifest(), reader, stream.digests(), () -> {});
    return shelf.add(held) ? held : null;
  }

  /**
   * The peers to pull from: all, or {@code most} of them, which follow from {@code seed}. Versions
   * reach all nodes as soon as with all peers, and connections do not grow with the square of the
   * nodes.
   */
  static List<TransferPeer> some(List<TransferPeer> peers, long seed, int most) {
    if (peers.size() <= most) {
      return peers;
    }
    List<TransferPeer> some = new ArrayList<>(peers);
    Collections.shuffle(some, new Random(~seed));
    return List.copyOf(some.subList(0, most));
  }

  private static void end(List<Thread> threads) {
    boolean interrupted = false;
    for (Thread thread : threads) {
      interrupted |= TransferListener.joined(thread);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private PullReport report(ChunkPool pool, int replaced) {
    Map<String, Long> bytesFrom = new HashMap<>();
    pool.sources().forEach(s -> bytesFrom.merge(s.peer().node(), s.bytes, Long::sum));
    return new PullReport(
        pool.manifest().bytes(),
        Duration.ofNanos(System.nanoTime() - begun),
        requests.get(),
        bytesFrom,
        pool.again(),
        replaced);
  }
}

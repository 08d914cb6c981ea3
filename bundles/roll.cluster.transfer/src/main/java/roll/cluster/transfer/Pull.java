package roll.cluster.transfer;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Pulls one version, or the one that replaces it meanwhile.
 *
 * @param sources who is asked, in this order, the origin last
 * @param memory for a manifest
 * @param bytesFrom checked bytes by the node that they came from
 * @param again requests for chunks that were in vain
 */
record Pull(
    TransferPlace place,
    VersionShelf shelf,
    Consumer<String> notices,
    VersionId.Wanted wanted,
    List<TransferPeer> sources,
    Function<Manifest, MemorySegment> memory,
    Map<String, Long> bytesFrom,
    AtomicInteger again) {
  private static final long BETWEEN_MS = 200;
  private static final int WAIT_MS = 5_000;

  Pull(
      TransferPlace place,
      VersionShelf shelf,
      Consumer<String> notices,
      VersionId.Wanted wanted,
      List<TransferPeer> sources,
      Function<Manifest, MemorySegment> memory) {
    this(
        place,
        shelf,
        notices,
        wanted,
        sources,
        memory,
        new ConcurrentHashMap<>(),
        new AtomicInteger());
  }

  /**
   * A manifest with the digests of its chunks.
   *
   * @param connection to the origin, which keeps the version for as long as it is open
   */
  record Lease(TransferConnection connection, Manifest manifest, byte[] digests)
      implements AutoCloseable {
    @Override
    public void close() {
      connection.close();
    }
  }

  Pulled run() throws IOException, InterruptedException {
    long begun = System.nanoTime();
    for (int replaced = 0; ; replaced++) {
      try (Lease lease = lease()) {
        Manifest manifest = lease.manifest();
        MemorySegment to = memory.apply(manifest).asSlice(0, manifest.bytes());
        Publication held = new Publication(manifest, VersionReader.of(to), false);
        shelf.add(held);
        boolean done = false;
        try {
          done = new ChunkFetch(this, lease, to, held).run();
        } finally {
          if (!done) {
            held.retire(Duration.ZERO);
            held.released().join();
          }
        }
        if (done) {
          Duration took = Duration.ofNanos(System.nanoTime() - begun);
          return new Pulled(
              held, new PullReport(manifest.bytes(), took, bytesFrom, again.get(), replaced));
        }
      }
    }
  }

  private Lease lease() throws IOException, InterruptedException {
    long end = System.nanoTime() + wanted.limit().toNanos();
    while (true) {
      long left = (end - System.nanoTime()) / 1_000_000;
      try {
        return ask(Math.clamp(left, 0, WAIT_MS));
      } catch (IOException e) {
        boolean last = e instanceof RefusedException r && r.reason() != RefusedException.NONE;
        if (last || left <= 0 || shelf.closed()) {
          throw new IOException(
              "no version of %s from node %s: %s"
                  .formatted(wanted.channel(), sources.getLast(), e.getMessage()),
              e);
        }
        Thread.sleep(Math.min(BETWEEN_MS, left));
      }
    }
  }

  private Lease ask(int wait) throws IOException {
    VersionId least = new VersionId(wanted.channel(), wanted.epoch(), wanted.atLeast());
    TransferConnection to = TransferConnection.to(place, sources.getLast());
    try {
      Duration limit = place.limits().silence().plusMillis(wait);
      Manifest manifest = Manifest.read(to.ask(TransferConnection.MANIFEST, least, wait, limit));
      VersionId id = manifest.id();
      if (!id.channel().equals(least.channel())
          || id.epoch() != least.epoch()
          || least.follows(id)) {
        throw new IOException("it gave " + id + " when asked for " + least);
      }
      to.expect(place.limits().patience());
      byte[] digests = to.in().readNBytes(manifest.chunks() * Publication.DIGEST);
      if (digests.length < manifest.chunks() * Publication.DIGEST) {
        throw new EOFException("the connection ended before all digests came");
      }
      return new Lease(to, manifest, digests);
    } catch (IOException | RuntimeException e) {
      to.close();
      throw e;
    }
  }
}

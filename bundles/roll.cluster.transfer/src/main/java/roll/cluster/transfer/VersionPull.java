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
 * Pull of a version, or of a newer one that replaces it.
 *
 * @param sources nodes to ask, in this order, the origin last
 * @param memory returns the memory for a manifest
 * @param bytesFrom verified bytes by source
 * @param again failed requests for chunks
 */
record VersionPull(
    TransferConfig config,
    VersionStore versions,
    Consumer<String> notices,
    VersionId.Wanted wanted,
    List<TransferPeer> sources,
    Function<VersionManifest, MemorySegment> memory,
    Map<String, Long> bytesFrom,
    AtomicInteger again) {
  private static final long BETWEEN_MS = 200;
  private static final int WAIT_MS = 5_000;

  VersionPull(
      TransferConfig config,
      VersionStore versions,
      Consumer<String> notices,
      VersionId.Wanted wanted,
      List<TransferPeer> sources,
      Function<VersionManifest, MemorySegment> memory) {
    this(
        config,
        versions,
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
   * @param connection to the origin, which keeps the version until it is closed
   */
  record Lease(TransferConnection connection, VersionManifest manifest, byte[] digests)
      implements AutoCloseable {
    @Override
    public void close() {
      connection.close();
    }
  }

  PulledVersion run() throws IOException, InterruptedException {
    long begun = System.nanoTime();
    for (int replaced = 0; ; replaced++) {
      try (Lease lease = lease()) {
        VersionManifest manifest = lease.manifest();
        MemorySegment to = memory.apply(manifest).asSlice(0, manifest.bytes());
        PublishedVersion held = new PublishedVersion(manifest, VersionReader.of(to), false);
        versions.add(held);
        boolean done = false;
        try {
          done = new ChunkDownload(this, lease, to, held).run();
        } finally {
          if (!done) {
            held.retire(Duration.ZERO);
            held.released().join();
          }
        }
        if (done) {
          Duration took = Duration.ofNanos(System.nanoTime() - begun);
          return new PulledVersion(
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
        boolean last =
            e instanceof TransferRefusedException r && r.reason() != TransferRefusedException.NONE;
        if (last || left <= 0 || versions.closed()) {
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
    TransferConnection to = TransferConnection.to(config, sources.getLast());
    try {
      Duration limit = config.limits().silence().plusMillis(wait);
      VersionManifest manifest =
          VersionManifest.read(to.ask(TransferConnection.MANIFEST, least, wait, limit));
      VersionId id = manifest.id();
      if (!id.channel().equals(least.channel())
          || id.epoch() != least.epoch()
          || least.follows(id)) {
        throw new IOException("it gave " + id + " when asked for " + least);
      }
      to.expect(config.limits().patience());
      byte[] digests = to.in().readNBytes(manifest.chunks() * PublishedVersion.DIGEST);
      if (digests.length < manifest.chunks() * PublishedVersion.DIGEST) {
        throw new EOFException("the connection ended before all digests came");
      }
      return new Lease(to, manifest, digests);
    } catch (IOException | RuntimeException e) {
      to.close();
      throw e;
    }
  }
}

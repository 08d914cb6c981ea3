package roll.cluster.transfer;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import roll.cluster.transfer.wire.Conduit;
import roll.cluster.transfer.wire.Dialer;
import roll.cluster.transfer.wire.RefusedException;
import roll.cluster.transfer.wire.TransferCodec;
import roll.cluster.transfer.wire.TransferMessage;
import roll.cluster.transfer.wire.TransferMessage.AskManifest;
import roll.cluster.transfer.wire.TransferMessage.Complete;
import roll.cluster.transfer.wire.TransferMessage.Digests;
import roll.cluster.transfer.wire.TransferMessage.Head;
import roll.cluster.transfer.wire.TransferMessage.Ping;
import roll.cluster.transfer.wire.TransferMessage.Reason;
import roll.cluster.transfer.wire.TransferMessage.Refused;

/**
 * The connection on which a manifest comes from its origin: first its head, then digests as soon as
 * they are computed there. While it is open the origin keeps the version.
 */
final class ManifestStream implements AutoCloseable {
  private static final long BETWEEN_MS = 200;
  private static final int WAIT_MS = 5_000;

  /** A head that has come, and the connection on which digests come next. */
  private record Begun(Conduit conduit, byte[] head) {}

  private final Dialer dialer;
  private final TransferPeer origin;
  private final TransferLimits limits;
  private final AtomicInteger requests;
  private final Manifest manifest;
  private final ChunkDigests digests;
  private volatile Conduit conduit;

  /**
   * Asks for what is wanted and waits for its head.
   *
   * @throws IOException if the origin cannot be reached, or refuses, or has no such version within
   *     the limit
   */
  ManifestStream(
      Dialer dialer,
      TransferPeer origin,
      TransferLimits limits,
      AtomicInteger requests,
      VersionId.Wanted wanted)
      throws IOException, InterruptedException {
    this.dialer = dialer;
    this.origin = origin;
    this.limits = limits;
    this.requests = requests;
    Begun begun = begin(wanted);
    this.conduit = begun.conduit();
    try {
      this.manifest = ManifestCodec.read(begun.head());
      this.digests = new ChunkDigests(begun.head(), manifest.chunks());
      VersionId id = manifest.id();
      if (!id.channel().equals(wanted.channel())
          || id.epoch() != wanted.epoch()
          || id.number() < wanted.atLeast()) {
        throw new IOException("node " + origin + " gave " + id + " when asked for " + wanted);
      }
    } catch (IOException | RuntimeException e) {
      conduit.close();
      throw e;
    }
  }

  Manifest manifest() {
    return manifest;
  }

  ChunkDigests digests() {
    return digests;
  }

  private Begun begin(VersionId.Wanted wanted) throws IOException, InterruptedException {
    long end = System.nanoTime() + wanted.limit().toNanos();
    while (true) {
      long left = (end - System.nanoTime()) / 1_000_000;
      try {
        return ask(wanted, Math.clamp(left, 0, WAIT_MS));
      } catch (IOException e) {
        boolean last = e instanceof RefusedException r && r.reason() != Reason.NONE;
        if (last || left <= 0) {
          String what = "no version of " + wanted.channel() + " from node " + origin + ": ";
          throw new IOException(what + SourceWorker.said(e), e);
        }
        Thread.sleep(Math.min(BETWEEN_MS, left));
      }
    }
  }

  private Begun ask(VersionId.Wanted wanted, int wait) throws IOException {
    Conduit made = dialer.call(origin.node(), origin.at());
    try {
      requests.incrementAndGet();
      TransferCodec.write(
          made, new AskManifest(wanted.channel(), wanted.epoch(), wanted.atLeast(), wait));
      made.expect(limits.silence().plusMillis(wait));
      return switch (TransferCodec.read(made, TransferCodec.ANSWERED)) {
        case Head head -> new Begun(made, head.bytes());
        case Refused refused -> throw new RefusedException(refused);
        case TransferMessage other -> throw new IOException("it answered with " + other);
      };
    } catch (IOException | RuntimeException e) {
      made.close();
      throw e;
    }
  }

  /** Hands digests to {@code pool} as they come, and keeps the version until the pool is over. */
  void follow(ChunkPool pool) {
    try {
      while (!pool.over()) {
        try {
          receive(pool);
          stay(pool);
        } catch (RefusedException e) {
          pool.replaced();
        } catch (IOException e) {
          pool.awaitOver(BETWEEN_MS);
          again(pool);
        }
      }
    } catch (IOException e) {
      if (digests.complete()) {
        // peers may have the rest
        return;
      }
      pool.fail(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void receive(ChunkPool pool) throws IOException {
    while (true) {
      conduit.expect(limits.silence());
      if (!digests.complete()) {
        // a digest takes its time there
        conduit.expect(limits.silence().multipliedBy(3));
      }
      switch (TransferCodec.read(conduit, TransferCodec.ANSWERED)) {
        case Digests(int first, byte[] some) -> {
          int count = some.length / ChunkDigests.BYTES;
          if (first < 0 || count < 1 || first > digests.chunks() - count) {
            throw new IOException("digests of chunks that are none");
          }
          digests.set(first, some);
          pool.changed();
        }
        case Complete(byte[] digest) -> {
          if (!digests.complete() || !Arrays.equals(digest, digests.all())) {
            throw new IOException("the digest of the manifest is wrong");
          }
          return;
        }
        case Refused refused -> throw new RefusedException(refused);
        case TransferMessage other -> throw new IOException("it sent " + other);
      }
    }
  }

  private void stay(ChunkPool pool) throws IOException, InterruptedException {
    Duration between = limits.idle().dividedBy(3);
    while (!pool.over()) {
      conduit.expect(limits.silence());
      TransferCodec.write(conduit, new Ping());
      conduit.rest();
      pool.awaitOver(between.toMillis());
    }
  }

  /** After the connection broke: the same version, or it was replaced. */
  private void again(ChunkPool pool) throws IOException, InterruptedException {
    conduit.close();
    if (pool.over()) {
      return;
    }
    VersionId id = manifest.id();
    Duration limit = limits.silence().multipliedBy(3);
    Begun begun = begin(new VersionId.Wanted(id.channel(), id.epoch(), id.number(), limit));
    conduit = begun.conduit();
    if (pool.over()) {
      conduit.close();
    } else if (!Arrays.equals(begun.head(), digests.head())) {
      pool.replaced();
    }
  }

  @Override
  public void close() {
    conduit.close();
  }
}

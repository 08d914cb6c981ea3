package roll.cluster.transfer;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Downloads the chunks of a version in order, from any of its sources. */
final class ChunkDownload {
  private static final int CONNECTIONS = 2;
  private static final int SCRATCH = 1 << 16;
  private static final long BETWEEN_MS = 100;
  private static final int MOST_WRONG = 5;

  private final VersionPull pull;
  private final TransferPeer origin;
  private final byte[] digests;
  private final VersionManifest manifest;
  private final MemorySegment memory;
  private final PublishedVersion held;

  /**
   * Completes with true when all chunks are there, with false if a newer version must be pulled.
   */
  private final CompletableFuture<Boolean> end = new CompletableFuture<>();

  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger missing;

  /** Usable sources of the version, the origin last. */
  private final List<TransferPeer> sources;

  private volatile TransferPeer current;

  /** Sources without a chunk since {@link #progress}. */
  private final Set<TransferPeer> failed = new HashSet<>();

  private long progress = System.nanoTime();
  private int wrong;

  ChunkDownload(
      VersionPull pull, VersionPull.Lease lease, MemorySegment memory, PublishedVersion held) {
    this.pull = pull;
    this.sources = new CopyOnWriteArrayList<>(pull.sources());
    this.origin = sources.getLast();
    this.current = sources.getFirst();
    this.manifest = lease.manifest();
    this.digests = lease.digests();
    this.memory = memory;
    this.held = held;
    this.missing = new AtomicInteger(manifest.chunks());
  }

  /**
   * Downloads all chunks; returns false if the origin has a newer version. Nothing is written after
   * it has returned.
   */
  boolean run() throws IOException, InterruptedException {
    var unused =
        held.released()
            .thenRun(() -> end.completeExceptionally(new IOException("this node has ended it")));
    try (ExecutorService tasks = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        for (int i = 0; i < CONNECTIONS; i++) {
          tasks.execute(this::work);
        }
        return end.get();
      } catch (ExecutionException e) {
        Throwable why = Objects.requireNonNullElse(e.getCause(), e);
        throw new IOException(why.getMessage(), why);
      } finally {
        end.complete(false);
        tasks.shutdownNow();
      }
    }
  }

  private void work() {
    TransferConnection open = null;
    TransferPeer to = origin;
    try {
      for (int i = next.getAndIncrement(); i < manifest.chunks() && !end.isDone(); ) {
        TransferPeer peer = current;
        try {
          if (open == null || !to.equals(peer)) {
            close(open);
            open = TransferConnection.to(pull.config(), peer);
            to = peer;
          }
          receive(open, peer, i);
          i = next.getAndIncrement();
        } catch (IOException e) {
          close(open);
          open = null;
          pull.again().incrementAndGet();
          if (leave(peer, i, e)) {
            Thread.sleep(BETWEEN_MS);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      end.completeExceptionally(new IOException(manifest.id() + " cannot be received: " + e, e));
    } finally {
      close(open);
    }
  }

  private static void close(@Nullable TransferConnection open) {
    if (open != null) {
      open.close();
    }
  }

  private void receive(TransferConnection from, TransferPeer peer, int index) throws IOException {
    int length = manifest.length(index);
    Duration limit = pull.config().limits().of(length);
    Duration silence = pull.config().limits().silence();
    MessageDigest function = PublishedVersion.function();
    from.within(limit, () -> from.ask(TransferConnection.CHUNK, manifest.id(), index, silence));
    if (from.in().readInt() != length) {
      throw new IOException("it sent another chunk than " + index);
    }
    from.within(limit, () -> read(from.in(), memory.asSlice(manifest.at(index), length), function));
    byte[] digest = function.digest();
    int at = index * digest.length;
    if (!Arrays.equals(digests, at, at + digest.length, digest, 0, digest.length)) {
      throw new WrongBytesException();
    }
    pull.bytesFrom().merge(peer.node(), (long) length, Long::sum);
    held.add(index);
    progressed();
    if (missing.decrementAndGet() == 0) {
      end.complete(true);
    }
  }

  private synchronized void progressed() {
    progress = System.nanoTime();
    failed.clear();
  }

  private static void read(DataInputStream in, MemorySegment target, MessageDigest function)
      throws IOException {
    byte[] part = new byte[SCRATCH];
    for (long at = 0; at < target.byteSize(); ) {
      int count = in.read(part, 0, (int) Math.min(part.length, target.byteSize() - at));
      if (count < 0) {
        throw new EOFException("the connection ended");
      }
      function.update(part, 0, count);
      MemorySegment.copy(part, 0, target, JAVA_BYTE, at, count);
      at += count;
    }
  }

  /**
   * Moves on to the next source after a failure of {@code peer}; returns whether to pause before.
   */
  private synchronized boolean leave(TransferPeer peer, int index, IOException why) {
    String what = "sends no more of " + manifest.id() + ": " + why.getMessage();
    int at = sources.indexOf(peer);
    if (end.isDone() || at < 0) {
      return false;
    }
    if (why instanceof WrongBytesException) {
      what = "sent wrong bytes for chunk " + index + " of " + manifest.id();
      boolean once = peer.equals(origin) && ++wrong < MOST_WRONG;
      if (!once) {
        sources.remove(at);
      }
      pull.notices()
          .accept(
              once
                  ? "node " + peer + " " + what + ", which is asked for again"
                  : "node %s %s; another node is asked for it, and this one for nothing more"
                      .formatted(peer, what));
    } else if (why instanceof TransferRefusedException refused) {
      if (peer.equals(origin) && refused.reason() == TransferRefusedException.NONE) {
        end.complete(false);
      }
    } else if (sources.size() > 1 && current.equals(peer)) {
      pull.notices().accept("node " + peer + " " + what + "; another node is asked for it");
    }
    failed.add(peer);
    TransferLimits limits = pull.config().limits();
    Duration longest = limits.patience().plus(limits.of(manifest.chunkBytes()));
    boolean slow = System.nanoTime() - progress > longest.toNanos();
    if (sources.isEmpty() || (slow && failed.containsAll(sources))) {
      end.completeExceptionally(
          new IOException("node " + peer + " " + what + "; no other node has it"));
    } else if (current.equals(peer)) {
      current = sources.get((sources.contains(peer) ? at + 1 : at) % sources.size());
    }
    return current.equals(sources.isEmpty() ? origin : sources.getFirst());
  }

  /** Thrown when a chunk does not match its digest. */
  private static final class WrongBytesException extends IOException {
    private static final long serialVersionUID = 1L;
  }
}

package roll.cluster.transfer;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A version that this node publishes, or that it pulls and serves as far as it is received. It
 * tracks the connections that pull it and read its memory, so that the memory can be reused after
 * them.
 */
public final class PublishedVersion {
  /** Consumer of bytes: the first {@code count} of an array. */
  interface Receiver {
    void take(byte[] bytes, int count) throws IOException;
  }

  private static final int SCRATCH = 1 << 16;

  /** Size of a digest in bytes. */
  static final int DIGEST = 32;

  private final VersionManifest manifest;
  private final VersionReader reader;
  private final boolean offered;
  private final BitSet present = new BitSet();
  private final Set<TransferConnection> pulling = new HashSet<>();
  private final Set<TransferConnection> reading = new HashSet<>();
  private final CompletableFuture<@Nullable Void> released = new CompletableFuture<>();
  private @Nullable List<CompletableFuture<byte[]>> digests;
  private int uses;
  private boolean retired;
  private boolean dropped;

  /**
   * Creates a complete version if it is {@code offered}, otherwise an empty one that is being
   * pulled.
   */
  PublishedVersion(VersionManifest manifest, VersionReader reader, boolean offered) {
    this.manifest = manifest;
    this.reader = reader;
    this.offered = offered;
    this.present.set(0, offered ? manifest.chunks() : 0);
  }

  /** Returns a SHA-256 function for one thread. */
  static MessageDigest function() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the manifest of the published version. */
  public VersionManifest manifest() {
    return manifest;
  }

  /** Returns a future that completes when the memory is not read any more. */
  public CompletableFuture<@Nullable Void> released() {
    return released.copy();
  }

  /**
   * Withdraws the version: no new pull can begin, and running ones may continue for {@code linger}
   * at most. A newer version of the channel does the same, with {@link TransferLimits#linger}.
   */
  public void retire(Duration linger) {
    synchronized (this) {
      retired = true;
      if (linger.isPositive() && !pulling.isEmpty()) {
        CompletableFuture.delayedExecutor(linger.toMillis(), TimeUnit.MILLISECONDS)
            .execute(this::drop);
        return;
      }
    }
    drop();
  }

  private void drop() {
    Set<TransferConnection> ended = new HashSet<>();
    synchronized (this) {
      dropped = true;
      ended.addAll(pulling);
      ended.addAll(reading);
      notifyAll();
    }
    ended.forEach(TransferConnection::close);
    finish();
  }

  private void finish() {
    boolean over;
    synchronized (this) {
      over = dropped && uses == 0;
    }
    if (over) {
      released.complete(null);
    }
  }

  /** Returns whether the published version's memory is given back. */
  synchronized boolean dropped() {
    return dropped;
  }

  /** Returns whether other nodes may begin to pull the version. */
  synchronized boolean offered() {
    return offered && !retired;
  }

  /**
   * Begins a pull over {@code by} until {@link #end}; returns false if the version is withdrawn.
   */
  synchronized boolean pull(TransferConnection by) {
    return offered() && pulling.add(by);
  }

  /** Ends a pull of the published version. */
  void end(TransferConnection by) {
    boolean last;
    synchronized (this) {
      pulling.remove(by);
      last = retired && pulling.isEmpty();
    }
    if (last) {
      drop();
    }
  }

  /** Marks chunk {@code index} of the version as received. */
  synchronized void add(int index) {
    present.set(index);
    notifyAll();
  }

  /** Waits for chunk {@code index}; returns false if it is not received in time. */
  synchronized boolean await(int index, Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    for (long left = limit.toMillis(); left > 0 && !dropped && !present.get(index); ) {
      wait(left);
      left = (end - System.nanoTime()) / 1_000_000;
    }
    return !dropped && present.get(index);
  }

  /**
   * Passes all bytes of chunk {@code index} to {@code to}.
   *
   * @param by connection to close when the version is dropped; null for none
   * @return false if the version was dropped
   */
  boolean read(int index, @Nullable TransferConnection by, Receiver to) throws IOException {
    synchronized (this) {
      if (dropped) {
        return false;
      }
      uses++;
      if (by != null) {
        reading.add(by);
      }
    }
    try {
      read(manifest.at(index), manifest.at(index) + manifest.length(index), to);
      return true;
    } finally {
      synchronized (this) {
        uses--;
        if (by != null) {
          reading.remove(by);
        }
      }
      finish();
    }
  }

  private void read(long first, long end, Receiver to) throws IOException {
    byte[] array = new byte[SCRATCH];
    for (long at = first; at < end; ) {
      int most = (int) Math.min(array.length, end - at);
      MemorySegment scratch = MemorySegment.ofArray(array).asSlice(0, most);
      MemorySegment bytes = reader.read(at, scratch);
      if (bytes.byteSize() < 1 || bytes.byteSize() > most) {
        throw new IOException("a reader gave " + bytes.byteSize() + " of " + most + " bytes");
      }
      if (bytes.heapBase().orElse(null) != array) {
        scratch.copyFrom(bytes);
      }
      to.take(array, (int) bytes.byteSize());
      at += bytes.byteSize();
    }
  }

  /** Starts to compute the digests of all chunks, in order, unless this was done before. */
  synchronized List<CompletableFuture<byte[]>> digests() {
    List<CompletableFuture<byte[]>> all = digests;
    if (all == null) {
      List<CompletableFuture<byte[]>> made =
          Stream.generate(CompletableFuture<byte[]>::new).limit(manifest.chunks()).toList();
      Thread.ofVirtual()
          .start(
              () ->
                  IntStream.range(0, made.size()).parallel().forEach(i -> compute(i, made.get(i))));
      digests = made;
      all = made;
    }
    return all;
  }

  /** Waits for the digest of chunk {@code index} and returns it. */
  byte[] digest(int index) throws IOException, InterruptedException {
    try {
      return digests().get(index).get();
    } catch (ExecutionException e) {
      throw new IOException(manifest.id() + " cannot be read: " + e.getCause(), e);
    }
  }

  /** Returns whether digests of the version were requested. */
  synchronized boolean digested() {
    return digests != null;
  }

  private void compute(int index, CompletableFuture<byte[]> digest) {
    MessageDigest function = function();
    try {
      if (read(index, null, (bytes, count) -> function.update(bytes, 0, count))) {
        digest.complete(function.digest());
      } else {
        digest.completeExceptionally(new IOException("it is not here any more"));
      }
    } catch (IOException | RuntimeException | Error e) {
      digest.completeExceptionally(e);
    }
  }
}

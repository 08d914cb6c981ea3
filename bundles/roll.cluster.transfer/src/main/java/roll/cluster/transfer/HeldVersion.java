package roll.cluster.transfer;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.cluster.transfer.wire.Conduit;

/**
 * A version of which this node has bytes: all, or those that were pulled so far. It counts who
 * pulls it and who is reading its memory, so that its owner knows when that may change.
 */
final class HeldVersion {
  /** Takes bytes that were read. */
  interface Receiver {
    void take(MemorySegment bytes) throws IOException;
  }

  /**
   * Connections that are sent chunks at once; others are told to come again. Otherwise chunks creep
   * to all of many nodes side by side, and none has one to pass on.
   */
  static final int SERVED = 8;

  private final Manifest manifest;
  private final VersionReader reader;
  private final ChunkDigests digests;
  private final Runnable atEnd;
  private final BitSet present = new BitSet();
  private final Set<Conduit> pulling = new HashSet<>();
  private final List<Conduit> reading = new ArrayList<>();
  private final CompletableFuture<Void> released = new CompletableFuture<>();
  private int uses;
  private int served;
  private boolean begun;
  private boolean retired;
  private boolean dropped;
  private long dropAt;

  /** None of it yet; {@code atEnd} is told when its memory is not read any more. */
  HeldVersion(Manifest manifest, VersionReader reader, ChunkDigests digests, Runnable atEnd) {
    this.manifest = manifest;
    this.reader = reader;
    this.digests = digests;
    this.atEnd = atEnd;
  }

  /** One that is all there. */
  static HeldVersion whole(Manifest manifest, VersionReader reader, Runnable atEnd) {
    ChunkDigests digests = new ChunkDigests(ManifestCodec.write(manifest), manifest.chunks());
    HeldVersion held = new HeldVersion(manifest, reader, digests, atEnd);
    held.present.set(0, manifest.chunks());
    return held;
  }

  Manifest manifest() {
    return manifest;
  }

  ChunkDigests digests() {
    return digests;
  }

  CompletableFuture<Void> released() {
    return released;
  }

  /** Whether nobody asked for its digests before. */
  synchronized boolean begin() {
    boolean first = !begun;
    begun = true;
    return first;
  }

  /** Somebody pulls it; false if it is not to be had any more. */
  synchronized boolean pull(Conduit by) {
    return !retired && pulling.add(by);
  }

  /** It pulls no more. */
  void end(Conduit by) {
    synchronized (this) {
      pulling.remove(by);
    }
    tick(System.nanoTime());
  }

  /** Its memory will be read, through {@code by} if anybody waits; false if it may not be. */
  synchronized boolean use(@Nullable Conduit by) {
    if (dropped) {
      return false;
    }
    uses++;
    if (by != null) {
      reading.add(by);
    }
    return true;
  }

  /** After {@link #use}. */
  void unuse(@Nullable Conduit by) {
    synchronized (this) {
      uses--;
      reading.remove(by);
    }
    finish();
  }

  /** Chunks will be sent; false if the other is to come again. */
  synchronized boolean admit() {
    boolean free = served < SERVED;
    served += free ? 1 : 0;
    return free;
  }

  /** After {@link #admit}. */
  synchronized void dismiss() {
    served--;
  }

  /** Hands all bytes of chunk {@code index} to {@code to}; in use. */
  void read(int index, MemorySegment scratch, Receiver to) throws IOException {
    long at = manifest.at(index);
    long end = at + manifest.length(index);
    while (at < end) {
      MemorySegment room = scratch.asSlice(0, Math.min(scratch.byteSize(), end - at));
      MemorySegment bytes = reader.read(at, room);
      if (bytes.byteSize() < 1 || bytes.byteSize() > room.byteSize()) {
        throw new IOException("a reader gave " + bytes.byteSize() + " of " + room.byteSize());
      }
      to.take(bytes);
      at += bytes.byteSize();
    }
  }

  synchronized boolean has(int index) {
    return present.get(index);
  }

  synchronized void add(int index) {
    present.set(index);
    notifyAll();
  }

  /** The chunks that are there, once there are so many, or all, or the time is over. */
  synchronized byte[] present(long atLeast, long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    long enough = Math.min(atLeast, manifest.chunks());
    for (long left = millis; left > 0 && !dropped && present.cardinality() < enough; ) {
      wait(left);
      left = (end - System.nanoTime()) / 1_000_000;
    }
    return present.toByteArray();
  }

  /** Nobody begins to pull it any more; at {@code at} nobody goes on. */
  void retire(long at) {
    synchronized (this) {
      dropAt = retired ? Math.min(dropAt - at, 0) + at : at;
      retired = true;
    }
    tick(System.nanoTime());
  }

  /** Ends it, if its time has come. */
  void tick(long now) {
    List<Conduit> readers;
    synchronized (this) {
      if (!retired || dropped || (!pulling.isEmpty() && now - dropAt < 0)) {
        return;
      }
      dropped = true;
      readers = List.copyOf(reading);
      notifyAll();
    }
    digests.fail(manifest.id() + " is not here any more");
    readers.forEach(reader -> reader.close("what it read is not here any more"));
    finish();
  }

  private void finish() {
    boolean over;
    synchronized (this) {
      over = dropped && uses == 0;
    }
    if (over && released.complete(null)) {
      atEnd.run();
    }
  }

  synchronized boolean dropped() {
    return dropped;
  }
}

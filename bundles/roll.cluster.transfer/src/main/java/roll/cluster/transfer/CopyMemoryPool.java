package roll.cluster.transfer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Native memory for copies of versions. New memory has to be mapped and cleared, which takes ten
 * times as long as a copy, so each channel reuses the memory of the version before the last.
 */
final class CopyMemoryPool implements AutoCloseable {
  /** Bytes per task of a copy. */
  private static final int PART = 1 << 22;

  /**
   * Memory of a channel.
   *
   * @param arena frees it
   */
  record Snapshot(String channel, Arena arena, MemorySegment memory) {
    /** Fills the memory with several threads, since the publisher waits for it. */
    void fill(VersionReader reader) {
      LongStream.range(0, Math.ceilDiv(memory.byteSize(), PART))
          .parallel()
          .forEach(i -> fill(reader, i * PART, Math.min((i + 1) * PART, memory.byteSize())));
    }

    private void fill(VersionReader reader, long from, long end) {
      for (long at = from; at < end; ) {
        MemorySegment target = memory.asSlice(at, end - at);
        MemorySegment bytes = reader.read(at, target);
        if (bytes.address() != target.address() || !bytes.isNative()) {
          target.copyFrom(bytes);
        }
        at += bytes.byteSize();
      }
    }
  }

  private final Map<String, Snapshot> spares = new HashMap<>();
  private boolean closed;

  /** Returns memory of that size, until {@link #giveBack}. */
  synchronized Snapshot take(String channel, long bytes) {
    Snapshot kept = spares.remove(channel);
    if (kept != null && kept.memory().byteSize() == bytes) {
      return kept;
    }
    free(kept);
    Arena arena = Arena.ofShared();
    try {
      return new Snapshot(channel, arena, arena.allocate(bytes, Long.BYTES));
    } catch (OutOfMemoryError e) {
      arena.close();
      throw e;
    }
  }

  /**
   * Takes back memory that is not used any more into the pool.
   *
   * @param goesOn whether its channel will have other versions
   */
  synchronized void giveBack(Snapshot snapshot, boolean goesOn) {
    if (!goesOn || closed) {
      free(snapshot);
      free(spares.remove(snapshot.channel()));
    } else if (spares.putIfAbsent(snapshot.channel(), snapshot) != null) {
      free(snapshot);
    }
  }

  private static void free(@Nullable Snapshot snapshot) {
    if (snapshot != null) {
      snapshot.arena().close();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    spares.values().forEach(CopyMemoryPool::free);
    spares.clear();
  }
}

package roll.cluster.transfer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Native memory for copies of versions. New memory is cleared and mapped first, which takes ten
 * times as long as a copy, so each channel keeps what its last version but one had for the next.
 */
final class SnapshotMemory implements AutoCloseable {
  /** Bytes that a thread copies at once. */
  private static final int PART = 1 << 22;

  /**
   * Memory of a channel.
   *
   * @param arena frees it
   */
  record Snapshot(String channel, Arena arena, MemorySegment memory) {
    /** Fills it by several threads, since whoever publishes waits for that. */
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

  /** Memory of {@code bytes}, for {@link #giveBack}. */
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
   * It is not used any more.
   *
   * @param goesOn whether there will be other versions of its channel
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
    spares.values().forEach(SnapshotMemory::free);
    spares.clear();
  }
}

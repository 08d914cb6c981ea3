package roll.cluster.transfer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Native memory for copies of versions. That of the last one that ended is kept for the next of the
 * same size, since new memory is cleared and mapped first, which takes longer than the copy.
 */
final class SnapshotMemory implements AutoCloseable {
  /** Memory and what frees it. */
  record Snapshot(Arena arena, MemorySegment memory) {}

  private @Nullable Snapshot spare;
  private boolean closed;

  /** Memory of {@code bytes}, for {@link #giveBack}. */
  Snapshot take(long bytes) {
    synchronized (this) {
      Snapshot kept = spare;
      if (kept != null) {
        spare = null;
        if (kept.memory().byteSize() == bytes) {
          return kept;
        }
        kept.arena().close();
      }
    }
    Arena arena = Arena.ofShared();
    return new Snapshot(arena, arena.allocate(bytes, Long.BYTES));
  }

  /** It is not used any more. */
  synchronized void giveBack(Snapshot snapshot) {
    if (spare == null && !closed) {
      spare = snapshot;
    } else {
      snapshot.arena().close();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (spare != null) {
      spare.arena().close();
      spare = null;
    }
  }
}

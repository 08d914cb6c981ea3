package roll.cluster.transfer.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Native memory for copies of versions. New memory is cleared and mapped first, which takes ten
 * times as long as a copy, so each channel keeps what its versions need: that of the version which
 * is offered, and that of the next one.
 */
public final class SnapshotMemory implements AutoCloseable {
  /**
   * Memory of a channel.
   *
   * @param channel that it is kept for
   * @param arena frees it
   * @param memory to be written and read
   */
  public record Snapshot(String channel, Arena arena, MemorySegment memory) {}

  private final Map<String, Snapshot> spares = new HashMap<>();
  private boolean closed;

  /** None yet. */
  public SnapshotMemory() {}

  /** Memory of {@code bytes}, for {@link #giveBack}. */
  public Snapshot take(String channel, long bytes) {
    Snapshot kept = spare(channel);
    if (kept != null && kept.memory().byteSize() == bytes) {
      return kept;
    }
    if (kept != null) {
      kept.arena().close();
    }
    return allocate(channel, bytes);
  }

  private static Snapshot allocate(String channel, long bytes) {
    Arena arena = Arena.ofShared();
    try {
      return new Snapshot(channel, arena, arena.allocate(bytes, Long.BYTES));
    } catch (OutOfMemoryError e) {
      arena.close();
      throw e;
    }
  }

  private synchronized @Nullable Snapshot spare(String channel) {
    return spares.remove(channel);
  }

  /** Has memory for the next version, like that of {@code now}, mapped in another thread. */
  public void prepare(Snapshot now) {
    synchronized (this) {
      if (closed || spares.containsKey(now.channel())) {
        return;
      }
    }
    Thread.ofPlatform()
        .daemon()
        .name("roll-transfer-memory")
        .start(
            () -> {
              try {
                giveBack(allocate(now.channel(), now.memory().byteSize()), true);
              } catch (OutOfMemoryError e) {
                // the next version says so, if there is none then
              }
            });
  }

  /**
   * It is not used any more.
   *
   * @param goesOn whether there will be other versions of its channel
   */
  public void giveBack(Snapshot snapshot, boolean goesOn) {
    boolean kept;
    synchronized (this) {
      kept = goesOn && !closed && spares.putIfAbsent(snapshot.channel(), snapshot) == null;
    }
    if (!kept) {
      snapshot.arena().close();
    }
    Snapshot rest = goesOn ? null : spare(snapshot.channel());
    if (rest != null) {
      rest.arena().close();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    spares.values().forEach(spare -> spare.arena().close());
    spares.clear();
  }
}

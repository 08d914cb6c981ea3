package roll.cluster.inference.weights;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import roll.cluster.transfer.Pulled;

/** Native memory for versions of one size, and the one that is in it. For one thread at a time. */
final class ReceivingMemory implements AutoCloseable {
  private @Nullable Arena arena;
  private MemorySegment memory = MemorySegment.NULL;
  private @Nullable Pulled pulled;

  /** Memory of {@code bytes}, in which nothing is any more: other nodes read it no longer. */
  MemorySegment empty(long bytes) {
    if (pulled != null) {
      pulled.close();
      pulled = null;
    }
    if (arena == null || memory.byteSize() != bytes) {
      close();
      Arena made = Arena.ofShared();
      arena = made;
      memory = made.allocate(bytes, Long.BYTES);
    }
    return memory;
  }

  /** A version is in it now. */
  void holds(Pulled version) {
    pulled = version;
  }

  @Override
  public void close() {
    if (pulled != null) {
      pulled.close();
      pulled = null;
    }
    if (arena != null) {
      arena.close();
      arena = null;
    }
    memory = MemorySegment.NULL;
  }
}

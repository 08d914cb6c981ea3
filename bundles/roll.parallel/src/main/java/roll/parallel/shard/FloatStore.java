package roll.parallel.shard;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ProviderType;
import roll.torch.HostTransfer;

/** Floats of a rank's state, in memory or in a file. Used on the rank's compute thread. */
@ProviderType
public interface FloatStore extends AutoCloseable {
  /**
   * Maps the memory of the stored floats while {@code arena} lives, for communicators of their
   * device. From any thread while nothing changes them.
   */
  MemorySegment map(Arena arena);

  /** Copies floats from number {@code first} on. From any thread while nothing changes them. */
  void read(long first, MemorySegment target);

  /** Copies {@code source} over the floats from number {@code first} on. */
  void write(long first, MemorySegment source);

  /**
   * Returns the floats as a tensor that lives at least as long as {@code owner}; writes to it
   * change them.
   */
  NDArray tensor(NDManager owner);

  @Override
  void close();

  /**
   * Floats in borrowed memory.
   *
   * @param transfer of their device
   */
  record InMemory(NDArray floats, HostTransfer transfer) implements FloatStore {
    @Override
    public MemorySegment map(Arena arena) {
      return FlatTensors.memory(floats);
    }

    @Override
    public void read(long first, MemorySegment target) {
      transfer.read(floats, first * Float.BYTES, target);
    }

    @Override
    public void write(long first, MemorySegment source) {
      transfer.write(floats, first * Float.BYTES, source);
    }

    @Override
    public NDArray tensor(NDManager owner) {
      return floats;
    }

    @Override
    public void close() {}
  }
}

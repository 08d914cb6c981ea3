package roll.torch.parallel.shard;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ProviderType;

/** Floats of a rank's state, wherever they lie. Used on the rank's compute thread. */
@ProviderType
public interface FloatStore extends AutoCloseable {
  /** Their memory, as long as {@code arena} lives. From any thread while nothing changes them. */
  MemorySegment map(Arena arena);

  /**
   * The floats as a tensor, at least as long as {@code owner} lives; writing to it changes them.
   */
  NDArray tensor(NDManager owner);

  @Override
  void close();

  /** Floats in memory that somebody else owns. */
  record InMemory(NDArray floats) implements FloatStore {
    @Override
    public MemorySegment map(Arena arena) {
      return Flat.memory(floats);
    }

    @Override
    public NDArray tensor(NDManager owner) {
      return floats;
    }

    @Override
    public void close() {}
  }
}

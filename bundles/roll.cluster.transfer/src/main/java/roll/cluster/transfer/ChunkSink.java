package roll.cluster.transfer;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;

/** Where the bytes of a version go. Called by several threads at once, for different chunks. */
@ConsumerType
public interface ChunkSink {
  /**
   * Memory for a chunk, in which it is received; it has exactly {@code length} bytes, native or of
   * an array, that every thread may write. Its bytes are not checked before {@link #done}; if they
   * are wrong, or do not all come, this is called again, in a thread of another connection.
   *
   * @param at number of its first byte
   */
  MemorySegment place(long at, int length);

  /** The chunk is there and was checked: {@code bytes} is what {@link #place} returned for it. */
  void done(long at, MemorySegment bytes);

  /** A chunk will not come into {@code bytes}, which {@link #place} returned for it. */
  default void dropped(long at, MemorySegment bytes) {}

  /**
   * Where chunks that are done can be read again, so that other nodes can pull them from here; null
   * if they cannot.
   */
  default @Nullable VersionReader reader() {
    return null;
  }

  /** Into memory for the whole version, from where it is served to others too. */
  static ChunkSink into(MemorySegment memory) {
    return new ChunkSink() {
      @Override
      public MemorySegment place(long at, int length) {
        return memory.asSlice(at, length);
      }

      @Override
      public void done(long at, MemorySegment bytes) {}

      @Override
      public VersionReader reader() {
        return VersionReader.of(memory);
      }
    };
  }
}

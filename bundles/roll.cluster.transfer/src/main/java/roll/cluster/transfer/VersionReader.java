package roll.cluster.transfer;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ConsumerType;

/** Where the bytes of a version are. Read by several threads at once. */
@ConsumerType
@FunctionalInterface
public interface VersionReader {
  /**
   * Bytes from number {@code at} on, in native memory or an array of bytes that every thread may
   * read: memory of the reader's own, where no copy is needed, or the beginning of {@code scratch},
   * into which they were written.
   *
   * @return at least one byte and at most as many as {@code scratch} has, which are all there
   */
  MemorySegment read(long at, MemorySegment scratch);

  /** Of one piece of memory. */
  static VersionReader of(MemorySegment memory) {
    return (at, scratch) ->
        memory.asSlice(at, Math.min(scratch.byteSize(), memory.byteSize() - at));
  }
}

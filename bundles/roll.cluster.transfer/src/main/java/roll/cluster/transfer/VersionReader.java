package roll.cluster.transfer;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ConsumerType;

/** Reader of the bytes of a version. Called by several threads at once. */
@ConsumerType
@FunctionalInterface
public interface VersionReader {
  /**
   * Returns bytes from offset {@code at} on, in native memory or an array that every thread can
   * read: either the reader's own memory, or the beginning of {@code scratch} after a copy.
   *
   * @return at least one byte and at most the size of {@code scratch}
   */
  MemorySegment read(long at, MemorySegment scratch);

  /** Returns the reader of a memory segment. */
  static VersionReader of(MemorySegment memory) {
    return (at, scratch) ->
        memory.asSlice(at, Math.min(scratch.byteSize(), memory.byteSize() - at));
  }
}

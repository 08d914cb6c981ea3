package roll.cluster.transfer;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
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

  /** Of pieces of memory that follow one another, such as tensors. */
  static VersionReader of(List<MemorySegment> pieces) {
    List<MemorySegment> full = pieces.stream().filter(piece -> piece.byteSize() > 0).toList();
    long[] starts = new long[full.size()];
    for (int i = 1; i < starts.length; i++) {
      starts[i] = starts[i - 1] + full.get(i - 1).byteSize();
    }
    return (at, scratch) -> {
      int found = Arrays.binarySearch(starts, at);
      int index = found < 0 ? -found - 2 : found;
      return of(full.get(index)).read(at - starts[index], scratch);
    };
  }
}

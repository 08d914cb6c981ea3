package roll.collectives.gloo;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import roll.torch.foreign.TorchShim.Blob;
import roll.torch.foreign.TorchShim.Place;

/** The arguments of one operation: tensors over memory that is there already. Owns them. */
@SuppressWarnings("restricted") // memory of the library
final class Tensors implements AutoCloseable {
  /** {@code kUnsetTimeout}. */
  private static final long NO_TIMEOUT = -1;

  private final Arena arena = Arena.ofShared();
  private final List<Blob> tensors = new ArrayList<>();
  private final List<MemorySegment> vectors = new ArrayList<>();
  private final List<Runnable> back = new ArrayList<>();

  /** A tensor of bytes that are read; those of an array are copied. */
  MemorySegment of(MemorySegment memory) {
    MemorySegment bytes =
        memory.isNative() ? memory : arena.allocate(memory.byteSize(), 8).copyFrom(memory);
    Blob tensor = new Blob(Place.host(bytes), bytes.byteSize());
    tensors.add(tensor);
    return MemorySegment.ofAddress(tensor.handle());
  }

  /** A tensor of bytes that are read and written, those of an array by {@link #read}. */
  MemorySegment both(MemorySegment memory) {
    if (memory.isNative()) {
      return of(memory);
    }
    MemorySegment copy = arena.allocate(memory.byteSize(), 8).copyFrom(memory);
    back.add(() -> memory.copyFrom(copy));
    return of(copy);
  }

  /** Copies what was written to arrays. */
  void read() {
    back.forEach(Runnable::run);
  }

  /** {@code std::vector} of one tensor. */
  MemorySegment list(MemorySegment tensor) {
    MemorySegment element = arena.allocate(ADDRESS);
    element.set(ADDRESS, 0, tensor.reinterpret(8).get(ADDRESS, 0));
    return Cpp.vector(element, arena);
  }

  /**
   * {@code std::vector<int64_t>} of {@code size} counts, all 0 but one. The operation may take its
   * memory over, which is therefore that of the C library.
   */
  MemorySegment counts(int size, int index, long count) {
    MemorySegment numbers = Cpp.zeros((long) size * Long.BYTES);
    numbers.setAtIndex(JAVA_LONG, index, count);
    MemorySegment vector = Cpp.vector(numbers, arena);
    vectors.add(vector);
    return vector;
  }

  /** Options of an operation, which have no timeout of their own. */
  MemorySegment options() {
    MemorySegment options = arena.allocate(64, 8);
    options.set(JAVA_LONG, 0, NO_TIMEOUT);
    options.set(JAVA_BYTE, 8, (byte) 1);
    return options;
  }

  /** Options of a broadcast: rank and tensor of the root stand before the timeout. */
  MemorySegment broadcastOptions(int root) {
    MemorySegment options = arena.allocate(64, 8);
    options.set(JAVA_LONG, 0, root);
    options.set(JAVA_LONG, 16, NO_TIMEOUT);
    options.set(JAVA_BYTE, 24, (byte) 1);
    return options;
  }

  @Override
  public void close() {
    for (MemorySegment vector : vectors) {
      MemorySegment left = vector.get(ADDRESS, 0);
      if (left.address() != 0) {
        Cpp.free(left);
      }
    }
    tensors.forEach(Blob::close);
    arena.close();
  }
}

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

/** Arguments of one collective operation: tensors over existing memory. Owns the tensors. */
@SuppressWarnings("restricted") // memory of the library
final class OperationTensors implements AutoCloseable {
  /** The constant {@code kUnsetTimeout} of c10d. */
  private static final long NO_TIMEOUT = -1;

  private final Arena arena = Arena.ofShared();
  private final List<Blob> tensors = new ArrayList<>();
  private final List<MemorySegment> vectors = new ArrayList<>();
  private final List<Runnable> back = new ArrayList<>();

  /** Returns an input tensor; memory of an array is copied. */
  MemorySegment of(MemorySegment memory) {
    MemorySegment bytes =
        memory.isNative() ? memory : arena.allocate(memory.byteSize(), 8).copyFrom(memory);
    Blob tensor = new Blob(Place.host(bytes), bytes.byteSize());
    tensors.add(tensor);
    return MemorySegment.ofAddress(tensor.handle());
  }

  /** Returns an input and output tensor; {@link #read} copies its content to an array. */
  MemorySegment both(MemorySegment memory) {
    if (memory.isNative()) {
      return of(memory);
    }
    MemorySegment copy = arena.allocate(memory.byteSize(), 8).copyFrom(memory);
    back.add(() -> memory.copyFrom(copy));
    return of(copy);
  }

  /** Copies the outputs of the operation to arrays. */
  void read() {
    back.forEach(Runnable::run);
  }

  /** Returns a {@code std::vector} of one tensor in native memory. */
  MemorySegment list(MemorySegment tensor) {
    MemorySegment element = arena.allocate(ADDRESS);
    element.set(ADDRESS, 0, tensor.reinterpret(8).get(ADDRESS, 0));
    return CppObjects.vector(element, arena);
  }

  /**
   * Returns a {@code std::vector<int64_t>} of {@code size} counts, all 0 except one. Its memory is
   * that of the C library, since the operation may take ownership.
   */
  MemorySegment counts(int size, int index, long count) {
    MemorySegment numbers = CppObjects.zeros((long) size * Long.BYTES);
    numbers.setAtIndex(JAVA_LONG, index, count);
    MemorySegment vector = CppObjects.vector(numbers, arena);
    vectors.add(vector);
    return vector;
  }

  /** Returns options of an operation without a timeout. */
  MemorySegment options() {
    MemorySegment options = arena.allocate(64, 8);
    options.set(JAVA_LONG, 0, NO_TIMEOUT);
    options.set(JAVA_BYTE, 8, (byte) 1);
    return options;
  }

  /** Returns options of a broadcast, in which rank and tensor of the root precede the timeout. */
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
        CppObjects.free(left);
      }
    }
    tensors.forEach(Blob::close);
    arena.close();
  }
}

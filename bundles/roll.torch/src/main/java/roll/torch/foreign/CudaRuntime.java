package roll.torch.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;

/**
 * What is used of CUDA's runtime library, the one that libtorch came with: pinned memory, and how
 * much of a card is in use. Where there is none, nothing is pinned or known.
 */
public final class CudaRuntime {
  /** Names by which a libtorch for CUDA 12 or 13 links it. */
  private static final List<String> NAMES =
      List.of("libcudart.so.12", "libcudart.so.13", "cudart64_12.dll", "cudart64_13.dll");

  private final NativeLibrary library;

  private CudaRuntime(NativeLibrary library) {
    this.library = library;
  }

  /** The one that this process has loaded already, or can find. */
  public static CudaRuntime loaded() {
    for (String name : NAMES) {
      NativeLibrary library = NativeLibrary.open(name);
      if (library.present()) {
        return new CudaRuntime(library);
      }
    }
    return at("");
  }

  /** That of a path. */
  static CudaRuntime at(String path) {
    return new CudaRuntime(NativeLibrary.open(path));
  }

  /**
   * Memory of a card, whoever uses it.
   *
   * @param free bytes
   * @param total bytes
   */
  public record CardMemory(long free, long total) {}

  /** Makes {@code device} the one that the calling thread means where it names none. */
  public boolean select(int device) {
    return library.code("cudaSetDevice", device) == 0;
  }

  /** Memory of the card that the calling thread {@link #select selected}. */
  public Optional<CardMemory> memory() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment free = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment total = arena.allocate(ValueLayout.JAVA_LONG);
      return library.code("cudaMemGetInfo", free, total) == 0
          ? Optional.of(
              new CardMemory(
                  free.get(ValueLayout.JAVA_LONG, 0), total.get(ValueLayout.JAVA_LONG, 0)))
          : Optional.empty();
    }
  }

  /** Pins {@code memory}; whether that worked. */
  boolean pin(MemorySegment memory) {
    return library.code("cudaHostRegister", memory, memory.byteSize(), 0) == 0;
  }

  /** Undoes {@link #pin}. */
  void unpin(MemorySegment memory) {
    int unused = library.code("cudaHostUnregister", memory);
  }
}

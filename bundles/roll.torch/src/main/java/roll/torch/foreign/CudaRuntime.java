package roll.torch.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The CUDA runtime library that libtorch uses: pinned memory, and the memory in use of a card.
 * Without the library nothing is pinned and no memory is reported.
 */
public final class CudaRuntime {
  /** Library names by which libtorch for CUDA 12 or 13 links the CUDA runtime. */
  private static final List<String> NAMES =
      List.of("libcudart.so.12", "libcudart.so.13", "cudart64_12.dll", "cudart64_13.dll");

  private final NativeLibrary library;

  private CudaRuntime(NativeLibrary library) {
    this.library = library;
  }

  /**
   * Returns the CUDA runtime that libtorch uses, which need not be the only one of this machine:
   * looking up a function searches the dependencies of a library too, but not on Windows. Otherwise
   * one that this process can find.
   */
  public static CudaRuntime loaded() {
    return first(Stream.concat(Stream.of(System.mapLibraryName("torch_cuda")), NAMES.stream()));
  }

  /** Returns the first of {@code libraries} that has the functions. */
  static CudaRuntime first(Stream<String> libraries) {
    return libraries
        .map(NativeLibrary::open)
        .filter(library -> library.has("cudaSetDevice"))
        .findFirst()
        .map(CudaRuntime::new)
        .orElseGet(() -> new CudaRuntime(NativeLibrary.none()));
  }

  /** Returns the library at a path. */
  static CudaRuntime at(String path) {
    return new CudaRuntime(NativeLibrary.open(path));
  }

  /** Returns the library with the functions. */
  NativeLibrary library() {
    return library;
  }

  /**
   * Memory of a card, of all processes.
   *
   * @param free bytes
   * @param total bytes
   */
  public record CardMemory(long free, long total) {}

  /** Makes {@code device} the current device of the calling thread; returns whether that worked. */
  public boolean select(int device) {
    return library.code("cudaSetDevice", device) == 0;
  }

  /** Returns the memory of the card that the calling thread {@link #select selected}. */
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

  /** Pins {@code memory}; returns whether that worked. */
  boolean pin(MemorySegment memory) {
    return library.code("cudaHostRegister", memory, memory.byteSize(), 0) == 0;
  }

  /** Unpins the host memory of {@link #pin}. */
  void unpin(MemorySegment memory) {
    int unused = library.code("cudaHostUnregister", memory);
  }
}

package roll.torch.foreign;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * Copies from a card to the host on a stream of their own, through pinned memory, by functions of
 * CUDA's runtime, which report errors. The card computes meanwhile.
 */
public final class CudaReads {
  private static final String CURRENT = "aoti_torch_get_current_cuda_stream";

  private static final List<String> RUNTIME =
      List.of(
          "cudaEventCreateWithFlags",
          "cudaEventDestroy",
          "cudaEventRecord",
          "cudaEventSynchronize",
          "cudaGetLastError",
          "cudaMemcpyAsync",
          "cudaSetDevice",
          "cudaStreamCreateWithFlags",
          "cudaStreamDestroy",
          "cudaStreamSynchronize",
          "cudaStreamWaitEvent");

  /** {@code cudaEventDisableTiming}. */
  private static final int NO_TIMING = 2;

  /** {@code cudaStreamNonBlocking}. */
  private static final int NON_BLOCKING = 1;

  /** {@code cudaMemcpyDeviceToHost}. */
  private static final int TO_HOST = 2;

  /** Bytes of each of the two buffers. */
  private static final long BUFFER = 32L << 20;

  private final NativeLibrary torch;
  private final CudaRuntime runtime;
  private final NativeLibrary cuda;
  private final long size;

  /** Binds the given libtorch_cuda and CUDA runtime, with buffers of {@code size} bytes. */
  CudaReads(NativeLibrary torch, CudaRuntime runtime, long size) {
    this.torch = torch;
    this.runtime = runtime;
    this.cuda = runtime.library();
    this.size = size;
  }

  /** Returns the reads of the libraries that this process has loaded. */
  public static CudaReads loaded() {
    return new CudaReads(
        NativeLibrary.open(System.mapLibraryName("torch_cuda")), CudaRuntime.loaded(), BUFFER);
  }

  /** Returns the first function that the libraries lack. */
  public Optional<String> missing() {
    return torch.has(CURRENT)
        ? RUNTIME.stream().filter(name -> !cuda.has(name)).findFirst()
        : Optional.of(CURRENT);
  }

  /**
   * A copy to be made.
   *
   * @param from memory of the card
   * @param to memory of the host, of the same size
   */
  public record Part(MemorySegment from, MemorySegment to) {}

  /**
   * Returns the copying of {@code parts}, to be run once on any thread. It copies what they hold
   * after the work that libtorch has started on {@code card} so far; they must neither be freed nor
   * written to until then.
   */
  public Runnable after(int card, List<Part> parts) {
    MemorySegment event = event();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stream = arena.allocate(ADDRESS);
      check(torch.code(CURRENT, card, stream), CURRENT);
      check("cudaEventRecord", event, stream.get(ADDRESS, 0));
    }
    List<Part> all = List.copyOf(parts);
    return () -> run(card, event, all);
  }

  private void run(int card, MemorySegment begun, List<Part> parts) {
    check("cudaSetDevice", card);
    try (Arena arena = Arena.ofConfined();
        PinnedMemory memory = new PinnedMemory(2 * size, runtime)) {
      MemorySegment made = arena.allocate(ADDRESS);
      check("cudaStreamCreateWithFlags", made, NON_BLOCKING);
      MemorySegment stream = made.get(ADDRESS, 0);
      List<MemorySegment> copied = List.of(event(), event());
      try {
        check("cudaStreamWaitEvent", stream, begun, 0);
        copy(parts, memory.segment(), stream, copied);
      } finally {
        int unused = cuda.code("cudaStreamSynchronize", stream);
        for (MemorySegment event : List.of(begun, copied.getFirst(), copied.getLast())) {
          unused = cuda.code("cudaEventDestroy", event);
        }
        unused = cuda.code("cudaStreamDestroy", stream);
      }
    }
  }

  /** The card fills one buffer while the other is emptied. */
  private void copy(
      List<Part> parts, MemorySegment memory, MemorySegment stream, List<MemorySegment> copied) {
    MemorySegment waiting = MemorySegment.NULL;
    int turn = 0;
    for (Part part : parts) {
      for (long first = 0; first < part.to().byteSize(); first += size) {
        long bytes = Math.min(size, part.to().byteSize() - first);
        MemorySegment buffer = memory.asSlice(turn * size, bytes);
        check("cudaMemcpyAsync", buffer, part.from().asSlice(first), bytes, TO_HOST, stream);
        check("cudaEventRecord", copied.get(turn), stream);
        take(memory, 1 - turn, copied, waiting);
        waiting = part.to().asSlice(first, bytes);
        turn = 1 - turn;
      }
    }
    take(memory, 1 - turn, copied, waiting);
  }

  private void take(
      MemorySegment memory, int turn, List<MemorySegment> copied, MemorySegment target) {
    if (target.byteSize() > 0) {
      check("cudaEventSynchronize", copied.get(turn));
      target.copyFrom(memory.asSlice(turn * size, target.byteSize()));
    }
  }

  private MemorySegment event() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment event = arena.allocate(ADDRESS);
      check("cudaEventCreateWithFlags", event, NO_TIMING);
      return event.get(ADDRESS, 0);
    }
  }

  private void check(String function, Object... arguments) {
    check(cuda.code(function, arguments), function);
  }

  /** Throws an error of {@code function}, which libtorch would otherwise find at its next call. */
  private void check(int code, String function) {
    if (code != 0) {
      int unused = cuda.code("cudaGetLastError");
      throw new IllegalStateException(function + " failed with error " + code);
    }
  }
}

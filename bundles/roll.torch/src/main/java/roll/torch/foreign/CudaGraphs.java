package roll.torch.foreign;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * CUDA graphs of libtorch: {@code at::cuda::CUDAGraph} ({@code ATen/cuda/CUDAGraph.h}), which has
 * no C interface, under the mangled names of its versions. libtorch captures, and up to 2.7 also
 * instantiates; everything else is done by CUDA's runtime, which reports errors.
 *
 * <p>An exception of C++ would end the JVM. Therefore everything that libtorch checks is checked
 * before it is called, and graphs are never launched by it.
 */
public final class CudaGraphs {
  private static final String GRAPH = "_ZN2at4cuda9CUDAGraph";
  private static final String NEW = GRAPH + "C1Ev"; // up to 2.7
  private static final String NEW_KEEPING = GRAPH + "C1Eb";
  private static final String RAW = GRAPH + "14raw_cuda_graphEv";
  private static final String BEGIN = GRAPH + "13capture_beginESt4pairIyyE21cudaStreamCaptureMode";
  private static final String END = GRAPH + "11capture_endEv";
  private static final String END_IN_PARTS = GRAPH + "15capture_end_preEv"; // from 2.14
  private static final String DELETE = GRAPH + "D1Ev";
  private static final String POOL = "_ZN2at4cuda17graph_pool_handleEv";
  private static final String GUARD = "aoti_torch_create_cuda_stream_guard";
  private static final String UNGUARD = "aoti_torch_delete_cuda_stream_guard";
  private static final String CURRENT = "aoti_torch_get_current_cuda_stream";

  private static final List<String> RUNTIME =
      List.of(
          "cudaDeviceSynchronize",
          "cudaGetLastError",
          "cudaGraphExecDestroy",
          "cudaGraphInstantiateWithFlags",
          "cudaGraphLaunch",
          "cudaMemGetInfo",
          "cudaStreamBeginCapture",
          "cudaStreamCreateWithFlags",
          "cudaStreamEndCapture",
          "cudaStreamIsCapturing");

  /** More than the size of the C++ object in any version. */
  private static final long OBJECT = 4096;

  /**
   * The offset of the executable graph, which up to 2.7 no function returns: in every version the
   * second field, after the graph.
   */
  private static final long EXECUTABLE = ADDRESS.byteSize();

  /** Memory that must be free for libtorch to instantiate a graph: far more than it takes. */
  private static final long FREE = 512L << 20;

  /** {@code cudaStreamNonBlocking}. */
  private static final int NON_BLOCKING = 1;

  /** {@code cudaStreamCaptureModeThreadLocal}: other threads may use the card meanwhile. */
  private static final int THREAD_LOCAL = 1;

  /** {@code cudaStreamCaptureStatusActive}. */
  private static final int CAPTURING = 1;

  /** {@code cudaGraphInstantiateFlagAutoFreeOnLaunch}. */
  private static final long FREE_ON_LAUNCH = 1;

  private final NativeLibrary torch;
  private final NativeLibrary cuda;
  private final boolean keeps;

  /** Binds the given libtorch_cuda and CUDA runtime. */
  public CudaGraphs(NativeLibrary torch, NativeLibrary cuda) {
    this.torch = torch;
    this.cuda = cuda;
    this.keeps = torch.has(NEW_KEEPING) && torch.has(RAW);
  }

  /** Returns the graphs of the libraries that this process has loaded. */
  public static CudaGraphs loaded() {
    return new CudaGraphs(
        NativeLibrary.open(System.mapLibraryName("torch_cuda")), CudaRuntime.loaded().library());
  }

  /** Returns the first function that the libraries lack. */
  public Optional<String> missing() {
    Stream<String> made = keeps || torch.has(NEW_KEEPING) ? Stream.of() : Stream.of(NEW);
    Stream<String> always = Stream.of(BEGIN, END, DELETE, POOL, GUARD, UNGUARD, CURRENT);
    return Stream.concat(
            Stream.concat(made, always).filter(name -> !torch.has(name)),
            RUNTIME.stream().filter(name -> !cuda.has(name)))
        .findFirst();
  }

  /** Identifies memory that graphs share. */
  public record Pool(long first, long second) {}

  /** Returns a new pool. */
  public Pool newPool() {
    MemoryLayout pair = MemoryLayout.structLayout(JAVA_LONG, JAVA_LONG);
    MethodHandle function = torch.function(POOL, FunctionDescriptor.of(pair));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pool =
          NativeLibrary.answer(
              () -> (MemorySegment) function.invokeExact((SegmentAllocator) arena));
      return new Pool(pool.getAtIndex(JAVA_LONG, 0), pool.getAtIndex(JAVA_LONG, 1));
    }
  }

  /** Returns a new stream of the current card, for captures. It lives as long as the process. */
  public MemorySegment newStream() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stream = arena.allocate(ADDRESS);
      check("cudaStreamCreateWithFlags", stream, NON_BLOCKING);
      return stream.get(ADDRESS, 0);
    }
  }

  /** Waits for all work of the current card. */
  public void synchronize() {
    check("cudaDeviceSynchronize");
  }

  /** Runs {@code work} with {@code stream} as libtorch's current stream of {@code card}. */
  public void on(MemorySegment stream, int card, Runnable work) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment guard = arena.allocate(ADDRESS);
      checkTorch(GUARD, stream, card, guard);
      try {
        work.run();
      } finally {
        checkTorch(UNGUARD, guard.get(ADDRESS, 0));
      }
    }
  }

  /**
   * Captures what {@code work} starts on the current stream, which is {@code stream} of {@code
   * card}, without running it.
   *
   * @param pool memory of the graph
   * @throws IllegalStateException if {@code work} does something that cannot be captured
   */
  public Graph capture(MemorySegment stream, int card, Pool pool, Runnable work) {
    synchronize();
    if (!keeps && free() < FREE) {
      throw new IllegalStateException("less than 512 MiB of the card are free");
    }
    if (status(stream) != 0) {
      throw new IllegalStateException("another capture has not ended");
    }
    Arena arena = Arena.ofShared();
    MemorySegment graph = arena.allocate(OBJECT, 16);
    if (torch.has(NEW_KEEPING)) {
      torch.run(NEW_KEEPING, graph, keeps);
    } else {
      torch.run(NEW, graph);
    }
    torch.run(BEGIN, graph, pool.first(), pool.second(), THREAD_LOCAL);
    RuntimeException failure = null;
    try {
      work.run();
    } catch (RuntimeException thrown) {
      failure = thrown;
    }
    if (!end(graph, stream) && failure == null) {
      failure = new IllegalStateException("the card cannot capture this");
    }
    if (failure != null) {
      torch.run(DELETE, graph);
      arena.close();
      throw failure;
    }
    Graph captured = new Graph(arena, graph, card);
    if (keeps) {
      captured.instantiate();
    } else {
      captured.find();
    }
    return captured;
  }

  /**
   * Ends the capture; returns false if it is invalid, which libtorch would throw. From 2.14 on the
   * destructor then ends what libtorch remembers of it; before, an empty capture in its place does,
   * without which libtorch could not free cached memory any more.
   */
  private boolean end(MemorySegment graph, MemorySegment stream) {
    boolean valid = status(stream) == CAPTURING;
    if (!valid) {
      try (Arena small = Arena.ofConfined()) {
        int unused = cuda.code("cudaStreamEndCapture", stream, small.allocate(ADDRESS));
        unused = cuda.code("cudaGetLastError"); // libtorch would take it for one of its own
      }
      if (torch.has(END_IN_PARTS)) {
        return false;
      }
      check("cudaStreamBeginCapture", stream, THREAD_LOCAL);
    }
    torch.run(END, graph);
    return valid;
  }

  private int status(MemorySegment stream) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment status = arena.allocate(JAVA_INT);
      check("cudaStreamIsCapturing", stream, status);
      return status.get(JAVA_INT, 0);
    }
  }

  private long free() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment both = arena.allocate(JAVA_LONG, 2);
      check("cudaMemGetInfo", both, both.asSlice(JAVA_LONG.byteSize()));
      return both.getAtIndex(JAVA_LONG, 0);
    }
  }

  private void check(String function, Object... arguments) {
    check(function, cuda.code(function, arguments));
  }

  private void checkTorch(String function, Object... arguments) {
    check(function, torch.code(function, arguments));
  }

  /** Throws an error of {@code function}, which libtorch would otherwise find at its next call. */
  private void check(String function, int code) {
    if (code != 0) {
      int unused = cuda.code("cudaGetLastError");
      throw new IllegalStateException(function + " failed with error " + code);
    }
  }

  /** A captured graph. */
  public final class Graph implements AutoCloseable {
    private final Arena arena;
    private final MemorySegment graph;
    private final int card;
    private MemorySegment executable = MemorySegment.NULL;

    private Graph(Arena arena, MemorySegment graph, int card) {
      this.arena = arena;
      this.graph = graph;
      this.card = card;
    }

    private void instantiate() {
      MemorySegment raw = (MemorySegment) torch.call(ADDRESS, RAW, graph);
      MemorySegment made = arena.allocate(ADDRESS);
      int code = cuda.code("cudaGraphInstantiateWithFlags", made, raw, FREE_ON_LAUNCH);
      if (code != 0) {
        close();
        check("cudaGraphInstantiateWithFlags", code);
      }
      executable = made.get(ADDRESS, 0);
    }

    /** Finds what libtorch has instantiated, and will destroy. */
    private void find() {
      executable = graph.get(ADDRESS, EXECUTABLE);
      if (executable.equals(MemorySegment.NULL)) {
        close();
        throw new IllegalStateException("this libtorch has other fields of graphs");
      }
    }

    /** Launches the graph on libtorch's current stream. */
    public void launch() {
      try (Arena small = Arena.ofConfined()) {
        MemorySegment stream = small.allocate(ADDRESS);
        checkTorch(CURRENT, card, stream);
        check("cudaGraphLaunch", executable, stream.get(ADDRESS, 0));
      }
    }

    /** Frees the graph, after all work of the card. */
    @Override
    public void close() {
      int unused = cuda.code("cudaDeviceSynchronize");
      if (keeps && !executable.equals(MemorySegment.NULL)) {
        unused = cuda.code("cudaGraphExecDestroy", executable);
      }
      torch.run(DELETE, graph);
      arena.close();
    }
  }
}

package roll.torch.foreign;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Libraries in C++ with the declarations of {@code ATen/cuda/CUDAGraph.h}, {@code shim.h} and
 * {@code cuda_runtime_api.h}, of which the compiler makes the names. They count kernels, and end
 * the process where libtorch would throw.
 */
public enum CudaLibrary {
  /** The constructor without an argument. */
  UNTIL_2_7(""),
  /** Graphs that are kept. */
  SINCE_2_8("#define KEEPS\n"),
  /** A destructor that ends an invalid capture. */
  SINCE_2_14("#define KEEPS\n#define IN_PARTS\n");

  /** The only card. */
  public static final int CARD = 3;

  private static final String SOURCE =
      """
      #include <cstdint>
      #include <cstdlib>
      #include <utility>
      static void expect(bool value) { if (!value) abort(); }
      typedef struct CUstream_st *cudaStream_t;
      typedef struct CUgraph_st *cudaGraph_t;
      typedef struct CUgraphExec_st *cudaGraphExec_t;
      enum cudaStreamCaptureMode { GLOBAL, THREAD_LOCAL, RELAXED };
      static char stream, graph, executable;
      static void *current;
      static int status, failing, sticky, other, underway;
      static long work, captured, pool_of_last, freed, size = 1L << 40;
      extern "C" {
      int next_failure(int code) { failing = code; return 0; }
      int last_error(int code) { sticky = code; return 0; }
      int free_memory(long bytes) { size = bytes; return 0; }
      int use_other_fields() { other = 1; return 0; }
      int invalidate() { status = 2; return 0; }
      int start_kernel() { if (status) captured++; else work++; return 0; }
      int works() { return work; }
      int captured_kernels() { return captured; }
      int last_pool() { return pool_of_last; }
      int freed_graphs() { return freed; }
      int capture_status() { return status; }
      int captures_underway() { return underway; }
      int cudaDeviceSynchronize() { return 0; }
      int cudaGetLastError() { return sticky; }
      int cudaMemGetInfo(size_t *available, size_t *total) {
        *available = *total = size;
        return 0;
      }
      int cudaStreamCreateWithFlags(cudaStream_t *made, unsigned flags) {
        expect(flags == 1);
        *made = (cudaStream_t) &stream;
        return 0;
      }
      int cudaStreamIsCapturing(cudaStream_t of, int *found) {
        expect((void *) of == &stream);
        *found = status;
        return 0;
      }
      int cudaStreamBeginCapture(cudaStream_t of, cudaStreamCaptureMode mode) {
        expect((void *) of == &stream && status == 0 && mode == THREAD_LOCAL);
        status = 1;
        return 0;
      }
      int cudaStreamEndCapture(cudaStream_t of, cudaGraph_t *made) { status = 0; *made = 0; return 901; }
      int cudaGraphInstantiateWithFlags(cudaGraphExec_t *made, cudaGraph_t of, unsigned long long flags) {
        expect((void *) of == &graph && flags == 1);
        int code = failing;
        failing = 0;
        if (!code) *made = (cudaGraphExec_t) &executable;
        return code;
      }
      int cudaGraphLaunch(cudaGraphExec_t of, cudaStream_t on) {
        expect((void *) of == &executable && (void *) on == current);
        if (sticky) return sticky;
        work += captured;
        return 0;
      }
      int cudaGraphExecDestroy(cudaGraphExec_t of) {
      #ifndef KEEPS
        abort();
      #endif
        expect((void *) of == &executable);
        return 0;
      }
      int aoti_torch_create_cuda_stream_guard(void *on, int32_t card, void **guard) {
        expect(card == 3);
        *guard = current;
        current = on;
        return 0;
      }
      int aoti_torch_delete_cuda_stream_guard(void *guard) { current = guard; return 0; }
      int aoti_torch_get_current_cuda_stream(int32_t card, void **found) {
        expect(card == 3);
        *found = current;
        return 0;
      }
      }
      namespace at { namespace cuda {
      using CaptureId_t = unsigned long long;
      using MempoolId_t = std::pair<CaptureId_t, CaptureId_t>;
      MempoolId_t graph_pool_handle() { static CaptureId_t next; return {0, ++next}; }
      struct CUDAGraph {
      #ifdef KEEPS
        CUDAGraph(bool keep_graph = false);
        cudaGraph_t raw_cuda_graph();
      #else
        CUDAGraph();
      #endif
        ~CUDAGraph();
        void capture_begin(MempoolId_t pool = {0, 0}, cudaStreamCaptureMode mode = GLOBAL);
        void capture_end();
      #ifdef IN_PARTS
        void capture_end_pre();
      #endif
        cudaGraph_t graph_ = nullptr;
        cudaGraphExec_t graph_exec_ = nullptr;
        bool ended = false, keeps = false, begun = false;
        char more[1000];
      };
      #ifdef KEEPS
      CUDAGraph::CUDAGraph(bool keep_graph) { keeps = keep_graph; }
      cudaGraph_t CUDAGraph::raw_cuda_graph() {
        expect(keeps && ended);
        return (cudaGraph_t) &graph;
      }
      #else
      CUDAGraph::CUDAGraph() {}
      #endif
      CUDAGraph::~CUDAGraph() {
        freed++;
      #ifdef IN_PARTS
        if (begun) underway--;
      #endif
      }
      #ifdef IN_PARTS
      void CUDAGraph::capture_end_pre() {}
      #endif
      void CUDAGraph::capture_begin(MempoolId_t pool, cudaStreamCaptureMode mode) {
        expect(pool.first == 0 && pool.second > 0 && mode == THREAD_LOCAL);
        expect(current == &stream && status == 0);
        captured = 0;
        pool_of_last = pool.second;
        status = 1;
        underway++;
        begun = true;
      }
      void CUDAGraph::capture_end() {
        expect(current == &stream && status == 1);
        expect(keeps || size > 1000000);
        status = 0;
        ended = true;
        underway--;
        begun = false;
        graph_ = (cudaGraph_t) &graph;
        if (!keeps && !other) graph_exec_ = (cudaGraphExec_t) &executable;
      }
      }}
      """;

  private final String defines;

  CudaLibrary(String defines) {
    this.defines = defines;
  }

  /** Compiles and opens the library in {@code folder}. */
  public NativeLibrary open(Path folder) throws IOException, InterruptedException {
    return NativeLibrary.open(CompiledLibrary.ofCpp(folder, defines + SOURCE));
  }
}

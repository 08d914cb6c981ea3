package roll.torch;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import roll.torch.foreign.CudaGraphs;

/** Records as CUDA graphs, which share their memory. */
final class CudaGraphRecorder implements StepRecorder {
  /** Runs before a capture: libraries load kernels and take their workspaces in the first ones. */
  private static final int WARM_UPS = 2;

  private final CudaGraphs graphs;
  private final int card;
  private final Runnable trim;
  private final MemorySegment stream;
  private CudaGraphs.@Nullable Pool pool;
  private int open;

  /**
   * Creates the recorder of {@code card}, which is the current one of the calling thread.
   *
   * @param trim frees memory that libtorch keeps for reuse
   */
  CudaGraphRecorder(CudaGraphs graphs, int card, Runnable trim) {
    this.graphs = graphs;
    this.card = card;
    this.trim = trim;
    this.stream = graphs.newStream();
  }

  @Override
  public Recording record(Runnable work) {
    CudaGraphs.Graph[] captured = new CudaGraphs.Graph[1];
    graphs.synchronize();
    graphs.on(
        stream,
        card,
        () -> {
          for (int i = 0; i < WARM_UPS; i++) {
            work.run();
          }
          graphs.synchronize();
          trim.run(); // nothing else on this stream would reuse the memory of the first runs
          captured[0] = graphs.capture(stream, card, pool(), work);
        });
    open++;
    return new Recorded(captured[0]);
  }

  /** Returns the pool of all open recordings: libtorch forgets a pool without graphs. */
  private CudaGraphs.Pool pool() {
    CudaGraphs.Pool shared = pool;
    if (shared == null || open == 0) {
      shared = graphs.newPool();
      pool = shared;
    }
    return shared;
  }

  private final class Recorded implements Recording {
    private final CudaGraphs.Graph graph;

    Recorded(CudaGraphs.Graph graph) {
      this.graph = graph;
    }

    @Override
    public void replay() {
      graph.launch();
    }

    @Override
    public void close() {
      graph.close();
      open--;
    }
  }
}

package roll.strategy.vllm;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.decoder.MemoryNeed;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.Ledger;
import roll.torch.NativeHeap;
import roll.torch.Precision;
import roll.torch.model.Decoder;
import roll.torch.model.GenerationWeights;
import roll.torch.model.Parameters;
import roll.torch.model.RotaryTable;
import roll.torch.sampling.Response;
import roll.torch.sampling.SampleKernels;
import roll.torch.sampling.SamplingTensors;

/**
 * The native function that is a step ({@code step.py}), the weights it reads and the cache it
 * writes. Used on the compute thread alone.
 */
final class StepKernels implements AutoCloseable {
  /** Tokens of the shortest rows that sequences are read from. */
  private static final int SHORTEST_ROW = 64;

  /** Most rows that are multiplied as {@code product.py} says; with more, linear is faster. */
  private static final int MANY = 64;

  /** oneDNN is a part of libtorch where the processor is one of these. */
  private static final String ROW =
      List.of("amd64", "x86_64").contains(System.getProperty("os.arch"))
          ? "row_onednn.py"
          : "row.py";

  private final Device device;
  private final EngineSettings settings;
  private final int cellNumbers;
  private final Kernels kernels;
  private final RotaryTable rotary;
  private final GenerationWeights weights;
  private final KvPool pool;
  private final BatchRows rows = new BatchRows(SHORTEST_ROW);
  private final RowTables tables;
  private double seconds;

  StepKernels(
      Device device,
      DecoderSpec spec,
      Precision precision,
      EngineSettings settings,
      Parameters parameters,
      Ledger ledger) {
    this.device = device;
    this.settings = settings;
    this.cellNumbers = spec.attention().keys();
    List<String> sources =
        new ArrayList<>(Decoder.sources(Kernels.source(StepKernels.class, "product.py")));
    sources.add(Kernels.source(StepKernels.class, ROW));
    sources.add(GenerationWeights.source());
    sources.addAll(SampleKernels.sources());
    sources.add(Kernels.source(StepKernels.class, "step.py"));
    Map<String, Object> constants = new HashMap<>(Decoder.constants(spec, precision));
    constants.putAll(SampleKernels.constants());
    constants.put("BLOCK", settings.blockSize());
    constants.put("CACHE", Precision.of(settings.cache()).compute());
    constants.put("FEW", precision.dtype() == Dtype.BF16 ? 2 : 6);
    constants.put("MANY", MANY);
    this.kernels = Kernels.compile(device, constants, sources);
    this.rotary = new RotaryTable(device, spec);
    this.weights = new GenerationWeights(device, kernels, precision, parameters);
    MemoryNeed need = new MemoryNeed(spec);
    this.pool =
        new KvPool(
            device,
            kernels,
            settings.blocks(),
            ledger,
            settings.blockSize() * need.cachedToken(settings.cache()));
    this.tables = new RowTables(device, kernels, ledger, need.cachedToken(precision.dtype()));
  }

  /** Goes over to {@code next}, which has the same specification. */
  void use(Parameters next) {
    weights.use(next);
  }

  /** Version of the weights in use. */
  long version() {
    return weights.version();
  }

  /** What {@code sequences} drew: their tokens, and the log-probs that a response has of each. */
  record Drawn(List<EngineRequest> sequences, double[] numbers) {
    int token(int row) {
      return (int) numbers[row];
    }

    double logProb(int row) {
      return numbers[sequences.size() + row];
    }

    double samplingLogProb(int row) {
      return numbers[2 * sequences.size() + row];
    }
  }

  /**
   * Runs {@code plan}.
   *
   * @param touched how many blocks were ever taken
   */
  Drawn run(StepPlan plan, int touched) {
    StepInput packing = new StepInput(plan, rows, settings.blockSize(), cellNumbers);
    try (NDManager small = device.newManager()) {
      NDArray numbers = small.create(packing.numbers());
      List<Response> drawing = packing.responses();
      NDArray uniforms = SamplingTensors.uniforms(small, drawing, 1).squeeze(1);
      NDList sampling = SamplingTensors.of(small, drawing);
      NDList read = new NDList();
      packing.tables().forEach(t -> read.add(tables.cells(t.length(), t.parts().size())));
      rotary.reach(plan.reach());
      NDArray cells = pool.cells(touched);
      long begun = System.nanoTime();
      double[] drawn =
          kernels
              .call(
                  small,
                  "step",
                  weights.tensors(),
                  rotary.cos(),
                  rotary.sin(),
                  cells,
                  read,
                  numbers,
                  uniforms,
                  sampling)
              .singletonOrThrow()
              .toDoubleArray();
      seconds += (System.nanoTime() - begun) * 1e-9;
      return new Drawn(packing.drawing(), drawn);
    }
  }

  /** Seconds spent in native steps so far. */
  double seconds() {
    return seconds;
  }

  /** Says that nothing in the cache counts any more. */
  void forget() {
    pool.forget();
    rows.clear();
    tables.close();
  }

  /** Frees what {@link #wake} brings back: the cache, and copies of weights where asked to. */
  void sleep() {
    forget();
    pool.close();
    if (settings.sleepLevel() > 1) {
      weights.free();
    }
    NativeHeap.trim();
  }

  /** Makes sure that the weights are there. */
  void wake() {
    weights.restore();
  }

  @Override
  public void close() {
    tables.close();
    pool.close();
    weights.close();
    kernels.close();
    rotary.close();
  }
}

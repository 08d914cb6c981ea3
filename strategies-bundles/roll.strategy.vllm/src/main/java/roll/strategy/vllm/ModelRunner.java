package roll.strategy.vllm;

import static java.util.Objects.requireNonNull;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.decoder.ModelMemoryEstimate;
import roll.sampling.PictureFeatures;
import roll.sampling.PromptPictures;
import roll.sampling.ResponseState;
import roll.sampling.SampleKernels;
import roll.sampling.SamplingNumbers;
import roll.sampling.SamplingTensors;
import roll.strategy.vllm.SharedPrefixes.Prefix;
import roll.strategy.vllm.config.EngineSettings;
import roll.strategy.vllm.config.WeightFormat;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.MemoryLedger;
import roll.torch.Precision;
import roll.torch.StepRecorder;
import roll.torch.model.DeviceTexts;
import roll.torch.model.GenerationWeights;
import roll.torch.model.Parameters;
import roll.torch.model.RotaryTable;
import roll.torch.model.SmallForwardTuning;

/**
 * Runs engine steps: the native function ({@code step.py}), the weights and the KV cache. Used only
 * on the compute thread.
 */
final class ModelRunner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ModelRunner.class);

  /** Minimum length of decode rows in tokens. */
  private static final int SHORTEST_ROW = 64;

  /** Maximum rows for the product of {@code plain_product.py}; with more rows, linear is faster. */
  private static final int MANY = 64;

  /**
   * Numbers of the keys of a layer that reading a prefix once must save: with fewer, the additional
   * calls take longer.
   */
  private static final int SHARED = 1 << 18;

  /** Maximum tokens that a native call samples of a sequence. */
  private static final int PASSES = 8;

  private final Device device;
  private final EngineSettings settings;
  private final int cellNumbers;
  private final StepInput.Bounds bounds;
  private final Kernels kernels;
  private final RotaryTable rotary;
  private final SmallForwardTuning passes;
  private final GenerationWeights weights;
  private final FormattedWeights copies;
  private final KvCacheMemory pool;
  private final DecodeRows rows;
  private final DecodeCache tables;
  private final @Nullable RecordedDecode recorded;
  private final @Nullable PictureFeatures pictures;
  private double seconds;
  private Reads reads = Reads.NONE;

  /**
   * Cached tokens that decoding sequences attend to.
   *
   * @param shared those that are read once for several sequences, counted for each
   */
  record Reads(long all, long shared) {
    static final Reads NONE = new Reads(0, 0);

    private Reads plus(DecodeRows.Group rows) {
      long prefix = (long) rows.offset() * rows.parts().size();
      long own = rows.parts().stream().mapToLong(part -> part.from() - rows.offset()).sum();
      return new Reads(all + prefix + own, shared + prefix);
    }
  }

  /**
   * Compiles the kernels of a model, with an empty cache.
   *
   * @param pictures features of pictures; null if the model has no vision
   */
  ModelRunner(
      Device device,
      DecoderSpec spec,
      Precision precision,
      EngineSettings settings,
      Parameters parameters,
      @Nullable PictureFeatures pictures,
      MemoryLedger ledger) {
    this.device = device;
    this.pictures = pictures;
    this.settings = settings;
    this.cellNumbers = spec.attention().keys();
    WeightFormat format = settings.weights();
    DeviceTexts texts = DeviceTexts.of(device, spec, precision, true);
    boolean shares = !texts.flash() && !precision.batchInvariant();
    long least = shares ? Math.ceilDiv(SHARED, cellNumbers) : Long.MAX_VALUE;
    this.rows =
        new DecodeRows(SHORTEST_ROW, PASSES, new SharedPrefixes(settings.blockSize(), least));
    this.bounds = texts.flash() ? StepInput.Bounds.FLASH : StepInput.Bounds.DENSE;
    StepRecorder recorder = texts.flash() ? recorder(device, texts, settings) : null;
    Map<String, Object> constants = new HashMap<>(GenerationWeights.constants(spec, precision));
    constants.putAll(SampleKernels.constants());
    constants.put("BLOCK", settings.blockSize());
    constants.put("CACHE", Precision.of(settings.cache()).compute());
    constants.put("FEW", precision.dtype() == Dtype.BF16 ? 2 : 6);
    constants.put("MANY", device.accelerated() ? 0 : MANY);
    this.kernels = Kernels.compile(device, constants, sources(device, spec, precision, format));
    this.rotary = new RotaryTable(device, spec);
    this.passes = new SmallForwardTuning(device, spec);
    this.weights = new GenerationWeights(device, kernels, precision, parameters);
    ModelMemoryEstimate need = new ModelMemoryEstimate(spec);
    this.copies =
        new FormattedWeights(
            device, kernels, weights, ledger, format, format.copies(spec, precision.dtype()));
    this.pool =
        new KvCacheMemory(
            device,
            kernels,
            recorder == null ? settings.blocks() : settings.blocks() + 1, // one for unused rows
            ledger,
            settings.blockSize() * need.cachedToken(settings.cache()));
    long rowToken = need.cachedToken(precision.dtype());
    this.tables = new DecodeCache(device, kernels, ledger, rowToken);
    this.recorded =
        recorder == null
            ? null
            : new RecordedDecode(device, kernels, recorder, ledger, settings, PASSES, rowToken);
    if (recorded != null) {
      rotary.reach(settings.maxModelLength()); // so that the table is never replaced
    }
  }

  /** Returns the sources of all functions. */
  static List<String> sources(
      Device device, DecoderSpec spec, Precision precision, WeightFormat format) {
    List<String> sources =
        new ArrayList<>(
            GenerationWeights.sources(
                device, spec, precision, Kernels.source(ModelRunner.class, "plain_product.py")));
    List<String> names = new ArrayList<>();
    if (!precision.batchInvariant()) {
      names.addAll(products(format, device.accelerated()));
    }
    if (DeviceTexts.of(device, spec, precision, true).flash()) {
      sources.addAll(SampleKernels.cardSources());
      sources.add(SamplingNumbers.source());
      names.addAll(List.of("flash_reads.py", "recorded_pass.py"));
    } else {
      sources.addAll(SampleKernels.sources());
      names.add("dense_reads.py");
    }
    names.addAll(List.of("pass.py", "step.py"));
    names.forEach(name -> sources.add(Kernels.source(ModelRunner.class, name)));
    return sources;
  }

  /** Returns what records steps of decoding; null if they are not recorded. */
  private static @Nullable StepRecorder recorder(
      Device device, DeviceTexts texts, EngineSettings settings) {
    boolean able = settings.graphs() && settings.weights() == WeightFormat.PLAIN;
    StepRecorder recorder = able ? device.recorder() : null;
    if (recorder != null && texts.waits()) {
      LOG.info(
          "{}: no CUDA graphs, because experts are counted on the host: decoding starts each"
              + " operation by itself and may take several times as long",
          device.name());
      return null;
    }
    return recorder;
  }

  /** Returns the sources of the products of linear layers. */
  private static List<String> products(WeightFormat format, boolean accelerated) {
    String row = WeightFormat.supported(accelerated) ? "row_onednn.py" : "row.py";
    return switch (format) {
      case PLAIN -> List.of(row, "plain.py");
      case REORDERED -> List.of(row, "reordered.py", "reordered_product.py");
      case INT8 -> List.of(row, "reordered.py", "int8.py");
    };
  }

  /** Switches to {@code next}, which has the same specification. */
  void use(Parameters next) {
    weights.use(next);
    copies.free();
  }

  /** Returns the version of the weights. */
  long version() {
    return weights.version();
  }

  /** Returns whether passes of {@code tokens} tokens should be combined in one call. */
  boolean brief(int tokens) {
    return passes.brief(tokens);
  }

  /** Returns the maximum passes of {@code plan} in one call. */
  int passes(StepPlan plan) {
    boolean decodes = plan.followers().isEmpty() && plan.parts().stream().allMatch(this::repeats);
    return decodes && brief(plan.tokens()) ? PASSES : 1;
  }

  private boolean repeats(StepPlan.Part part) {
    return rows.takes(part) || (recorded != null && recorded.takes(part));
  }

  /**
   * Runs the engine step {@code plan}.
   *
   * @param touched number of blocks ever taken
   */
  Drawn run(StepPlan plan, int touched) {
    if (recorded == null) {
      return step(plan, touched);
    }
    long begun = System.nanoTime();
    NDList read = copies.tensors(plan.tokens());
    Drawn drawn = recorded.run(plan, read, rotary, pool.cells(touched));
    if (drawn.sequences().isEmpty()) {
      return step(plan, touched);
    }
    seconds += (System.nanoTime() - begun) * 1e-9;
    StepPlan rest = plan.without(drawn.sequences());
    if (rest.isEmpty()) {
      rows.clear(); // they miss the tokens of this step
      return drawn;
    }
    return drawn.and(step(rest, touched));
  }

  private Drawn step(StepPlan plan, int touched) {
    StepInput packing = new StepInput(plan, rows, settings.blockSize(), cellNumbers, bounds);
    try (NDManager small = device.newManager()) {
      long[] packed = packing.numbers();
      int head = StepInput.head(packed);
      NDArray numbers = small.create(Arrays.copyOfRange(packed, head, packed.length));
      List<ResponseState> drawing = packing.responses();
      NDArray uniforms = SamplingTensors.uniforms(small, drawing, plan.passes());
      NDList sampling = SamplingTensors.of(small, drawing);
      NDList read = new NDList();
      NDList prefixes = new NDList();
      NDArray cells = pool.cells(touched);
      NDArray nothing = small.create(new Shape(0));
      tables.keep(packing.tables());
      for (DecodeRows.Group table : packing.tables()) {
        reads = reads.plus(table);
        read.add(tables.cells(table.table(), table.parts().size()));
        Prefix prefix = table.prefix();
        prefixes.add(prefix == null ? nothing : tables.prefix(prefix, table.offset(), cells));
      }
      rotary.reach(plan.reach());
      long begun = System.nanoTime();
      StepPictures seen = new StepPictures(packing.parts());
      NDArray none = small.create(new Shape(0), DataType.INT64);
      NDArray turns =
          seen.isEmpty() ? none : small.create(seen.positions(), new Shape(3, plan.tokens()));
      NDArray places = seen.slices().isEmpty() ? none : small.create(seen.places());
      NDList shown = shown(small, seen);
      NDList weights = copies.tensors(plan.tokens());
      double[] drawn =
          passes
              .run(
                  plan.tokens(),
                  () ->
                      kernels.call(
                          small,
                          "step",
                          weights,
                          rotary.cos(),
                          rotary.sin(),
                          cells,
                          read,
                          prefixes,
                          Arrays.copyOf(packed, head),
                          numbers,
                          turns,
                          places,
                          shown,
                          uniforms,
                          sampling))
              .singletonOrThrow()
              .toDoubleArray();
      seconds += (System.nanoTime() - begun) * 1e-9;
      return Drawn.of(packing.drawing(), drawn);
    }
  }

  /** Returns the features of pictures, computed or cached. */
  private NDList shown(NDManager small, StepPictures seen) {
    NDList shown = new NDList();
    for (PromptPictures.Slice slice : seen.slices()) {
      NDArray features = requireNonNull(pictures).of(slice.picture(), weights.tower(), version());
      int end = slice.from() + slice.count();
      shown.addAll(kernels.call(small, "slice_rows", features, slice.from(), end));
    }
    return shown;
  }

  /** Returns the total seconds spent in native steps. */
  double seconds() {
    return seconds;
  }

  /** Returns the reads of decoding since the previous call; those of recorded steps not. */
  Reads takeReads() {
    Reads taken = reads;
    reads = Reads.NONE;
    return taken;
  }

  /** Invalidates the cache of the model runner. */
  void forget() {
    pool.forget();
    rows.clear();
    tables.close();
    if (recorded != null) {
      recorded.forget();
    }
    forgetPictures();
  }

  /** Frees the features of pictures. */
  void forgetPictures() {
    if (pictures != null) {
      pictures.clear();
    }
  }

  /**
   * Frees memory that {@link #wake} restores: the cache, reordered weights, and, by sleep level,
   * copies of weights.
   */
  void sleep() {
    forget();
    if (recorded != null) {
      recorded.close();
    }
    pool.close();
    copies.free();
    if (settings.sleepLevel() > 1) {
      weights.free();
    }
    device.trim();
  }

  /** Restores the weights of the model runner. */
  void wake() {
    weights.restore();
  }

  @Override
  public void close() {
    if (recorded != null) {
      recorded.close();
    }
    tables.close();
    pool.close();
    copies.close();
    weights.close();
    kernels.close();
    rotary.close();
  }
}

package roll.strategy.vllm;

import ai.djl.ndarray.NDArray;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.model.DecoderSpec;
import roll.decoder.ModelMemoryEstimate;
import roll.sampling.PictureFeatures;
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

/**
 * Runs engine steps, recorded or eagerly, and owns what they share: the native functions, the
 * weights and the KV cache. Used only on the compute thread.
 */
final class ModelRunner implements AutoCloseable {
  /** Maximum tokens that a native call samples of a sequence. */
  static final int PASSES = 8;

  private static final Logger LOG = LoggerFactory.getLogger(ModelRunner.class);

  private final Device device;
  private final EngineSettings settings;
  private final Kernels kernels;
  private final RotaryTable rotary;
  private final FormattedWeights weights;
  private final KvCacheMemory pool;
  private final EagerSteps eager;
  private final @Nullable RecordedDecode recorded;
  private double recordedSeconds;

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
    this.settings = settings;
    DeviceTexts texts = DeviceTexts.of(device, spec, precision, true);
    StepRecorder recorder = texts.flash() ? recorder(device, texts, settings) : null;
    this.kernels = StepKernels.compile(device, spec, precision, settings);
    this.rotary = new RotaryTable(device, spec);
    this.weights =
        new FormattedWeights(
            device,
            kernels,
            new GenerationWeights(device, kernels, precision, parameters),
            ledger,
            settings.weights(),
            settings.weights().copies(spec, precision.dtype()));
    ModelMemoryEstimate need = new ModelMemoryEstimate(spec);
    this.pool =
        new KvCacheMemory(
            device,
            kernels,
            recorder == null ? settings.blocks() : settings.blocks() + 1, // one for unused rows
            ledger,
            settings.blockSize() * need.cachedToken(settings.cache()));
    this.eager =
        new EagerSteps(device, kernels, spec, precision, settings, texts.flash(), pictures, ledger);
    this.recorded =
        recorder == null
            ? null
            : new RecordedDecode(
                device,
                kernels,
                recorder,
                ledger,
                settings,
                PASSES,
                need.cachedToken(precision.dtype()));
    if (recorded != null) {
      rotary.reach(settings.maxModelLength()); // so that the table is never replaced
    }
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

  /** Switches to {@code next}, which has the same specification. */
  void use(Parameters next) {
    weights.use(next);
  }

  /** Returns the version of the weights. */
  long version() {
    return weights.version();
  }

  /** Returns whether passes of {@code tokens} tokens should be combined in one call. */
  boolean brief(int tokens) {
    return eager.brief(tokens);
  }

  /** Returns the maximum passes of {@code plan} in one call. */
  int passes(StepPlan plan) {
    boolean decodes = plan.followers().isEmpty() && plan.parts().stream().allMatch(this::repeats);
    return decodes && brief(plan.tokens()) ? PASSES : 1;
  }

  private boolean repeats(StepPlan.Part part) {
    return eager.takes(part) || (recorded != null && recorded.takes(part));
  }

  /**
   * Runs the engine step {@code plan}.
   *
   * @param touched number of blocks ever taken
   */
  Drawn run(StepPlan plan, int touched) {
    long begun = System.nanoTime();
    NDArray cells = pool.cells(touched);
    if (recorded == null) {
      return eager.run(plan, weights, rotary, cells);
    }
    Drawn drawn = recorded.run(plan, weights.tensors(plan.tokens()), rotary, cells);
    if (drawn.sequences().isEmpty()) {
      return eager.run(plan, weights, rotary, cells);
    }
    recordedSeconds += (System.nanoTime() - begun) * 1e-9;
    StepPlan rest = plan.without(drawn.sequences());
    if (rest.isEmpty()) {
      eager.releaseRows(); // they miss the tokens of this step
      return drawn;
    }
    return drawn.and(eager.run(rest, weights, rotary, cells));
  }

  /** Returns the total seconds spent in native steps. */
  double seconds() {
    return recordedSeconds + eager.seconds();
  }

  /** Returns the reads of decoding since the previous call; those of recorded steps not. */
  EagerSteps.Reads takeReads() {
    return eager.takeReads();
  }

  /** Invalidates the cache of the model runner. */
  void forget() {
    pool.forget();
    eager.forget();
    if (recorded != null) {
      recorded.forget();
    }
  }

  /** Frees the features of pictures. */
  void forgetPictures() {
    eager.forgetPictures();
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
    if (settings.sleepLevel() > 1) {
      weights.free();
    } else {
      weights.freeFormatted();
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
    eager.close();
    pool.close();
    weights.close();
    kernels.close();
    rotary.close();
  }
}

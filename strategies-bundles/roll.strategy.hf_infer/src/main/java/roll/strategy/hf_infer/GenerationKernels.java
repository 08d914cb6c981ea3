package roll.strategy.hf_infer;

import static java.util.Objects.requireNonNull;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.memory.MemoryKind;
import roll.api.model.DecoderSpec;
import roll.decoder.ModelMemoryEstimate;
import roll.sampling.PictureFeatures;
import roll.sampling.PromptPictures;
import roll.sampling.ResponseState;
import roll.sampling.SampleKernels;
import roll.sampling.SamplingTensors;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.MemoryLedger;
import roll.torch.Precision;
import roll.torch.model.Decoder;
import roll.torch.model.GenerationWeights;
import roll.torch.model.Parameters;
import roll.torch.model.RotaryTable;
import roll.torch.model.SmallForwardTuning;

/**
 * The native functions of generation ({@code cache.py}, {@code generate.py}, the sampler) and their
 * weights. Used only on the compute thread.
 */
final class GenerationKernels implements AutoCloseable {
  private final Device device;
  private final Kernels kernels;
  private final RotaryTable rotary;
  private final SmallForwardTuning passes;
  private final GenerationWeights weights;
  private final @Nullable PictureFeatures pictures;
  private final MemoryLedger ledger;
  private final long tokenBytes;

  /**
   * Compiles the kernels of a model.
   *
   * @param pictures features of pictures; null if the model has no vision
   */
  GenerationKernels(
      Device device,
      DecoderSpec spec,
      Precision precision,
      Parameters parameters,
      @Nullable PictureFeatures pictures,
      MemoryLedger ledger) {
    this.pictures = pictures;
    this.ledger = ledger;
    this.tokenBytes = new ModelMemoryEstimate(spec).cachedToken(precision.dtype());
    this.device = device;
    String product = Kernels.source(Decoder.class, "product.py");
    List<String> sources =
        new ArrayList<>(GenerationWeights.sources(device, spec, precision, product));
    sources.addAll(SampleKernels.sources());
    for (String name : List.of("cache.py", "generate.py")) {
      sources.add(Kernels.source(GenerationKernels.class, name));
    }
    Map<String, Object> constants = new HashMap<>(GenerationWeights.constants(spec, precision));
    constants.putAll(SampleKernels.constants());
    this.kernels = Kernels.compile(device, constants, sources);
    this.rotary = new RotaryTable(device, spec);
    this.passes = new SmallForwardTuning(device, spec);
    this.weights = new GenerationWeights(device, kernels, precision, parameters);
  }

  /** Switches to {@code next}: the same tensors, or a copy if the dtype differs. */
  void use(Parameters next) {
    weights.use(next);
  }

  /** Returns the version of the weights. Shared weights change when the trainer makes a step. */
  long version() {
    return weights.version();
  }

  /** Returns a new manager of small tensors. */
  NDManager newManager() {
    return device.newManager();
  }

  /** Opens a cache for {@code plan}'s rows, with the reused prefixes of older caches. */
  KvCache open(PrefillPlan plan, int capacity) {
    rotary.reach(capacity);
    NDManager cells = device.newManager();
    try {
      NDList kept = new NDList();
      plan.older().forEach(cache -> kept.add(cache.cells()));
      int least = plan.rows().stream().mapToInt(PrefillPlan.Row::past).min().orElseThrow();
      NDList cache =
          kernels.call(
              cells, "open_cache", plan.rows().size(), capacity, kept, plan.copies(), least);
      return counted(cells, cache.singletonOrThrow(), plan.rows().size(), capacity);
    } catch (RuntimeException failure) {
      cells.close();
      throw failure;
    }
  }

  /** Copies some {@code rows} of {@code cache}, their first {@code used} slots. */
  KvCache select(KvCache cache, int[] rows, int used) {
    NDManager cells = device.newManager();
    try {
      long[] index = IntStream.of(rows).asLongStream().toArray();
      NDList some = kernels.call(cells, "select_rows", cache.cells(), index, used);
      return counted(cells, some.singletonOrThrow(), rows.length, cache.capacity());
    } catch (RuntimeException failure) {
      cells.close();
      throw failure;
    }
  }

  private KvCache counted(NDManager owner, NDArray cells, int rows, int capacity) {
    long bytes = (long) rows * capacity * tokenBytes;
    ledger.add(MemoryKind.KV_CACHE, bytes);
    return new KvCache(owner, cells, capacity, () -> ledger.add(MemoryKind.KV_CACHE, -bytes));
  }

  /**
   * Runs the prompts of {@code plan} into {@code cache}; returns the logits [rows, vocabulary].
   *
   * @param pictures pictures of the prompts
   */
  NDArray prefill(NDManager small, KvCache cache, PrefillPlan plan, PrefillPictures pictures) {
    int rows = plan.rows().size();
    NDArray tokens = small.create(plan.tokens(), new Shape(rows, plan.longest()));
    NDArray turns =
        pictures.isEmpty()
            ? none(small)
            : small.create(pictures.positions(), new Shape(3, rows, plan.longest()));
    NDArray places = pictures.slices().isEmpty() ? none(small) : small.create(pictures.places());
    NDList shown = shown(small, pictures);
    return passes
        .run(
            (long) rows * plan.longest(),
            () ->
                kernels.call(
                    small,
                    "prefill",
                    weights.tensors(),
                    rotary.cos(),
                    rotary.sin(),
                    cache.cells(),
                    tokens,
                    small.create(plan.past()),
                    small.create(plan.counts()),
                    plan.counts(),
                    plan.reached(),
                    plan.blocks(),
                    turns,
                    places,
                    shown,
                    pictures.ends()))
        .singletonOrThrow();
  }

  private static NDArray none(NDManager small) {
    return small.create(new Shape(0), DataType.INT64);
  }

  /** Returns the features of pictures, computed or cached. */
  private NDList shown(NDManager small, PrefillPictures pictures) {
    NDList shown = new NDList();
    for (PromptPictures.Slice slice : pictures.slices()) {
      NDArray features =
          requireNonNull(this.pictures).of(slice.picture(), weights.tower(), version());
      int end = slice.from() + slice.count();
      shown.addAll(kernels.call(small, "slice_rows", features, slice.from(), end));
    }
    return shown;
  }

  /** Returns the position offsets of tokens after prompts with pictures. */
  private static NDArray turns(NDManager small, List<ResponseState> responses) {
    return responses.stream().allMatch(response -> response.pictures() == null)
        ? none(small)
        : small.create(responses.stream().mapToLong(GenerationKernels::turn).toArray());
  }

  private static long turn(ResponseState response) {
    PromptPictures pictures = response.pictures();
    return pictures == null ? 0 : pictures.shift();
  }

  /**
   * Samples the first tokens of {@code responses}, each from its row of {@code rows} in {@code
   * logits}.
   */
  Drawn first(NDManager small, NDArray logits, int[] rows, List<ResponseState> responses) {
    NDArray index = small.create(IntStream.of(rows).asLongStream().toArray());
    NDArray uniforms = SamplingTensors.uniforms(small, responses, 1);
    return Drawn.of(
        kernels.call(
            small, "first", logits, index, uniforms, SamplingTensors.of(small, responses)));
  }

  /** Samples up to {@code most} further tokens of {@code responses}, the rows of {@code cache}. */
  Drawn decode(NDManager small, KvCache cache, List<ResponseState> responses, int most) {
    return Drawn.of(
        passes.run(
            responses.size(),
            () ->
                kernels.call(
                    small,
                    "decode",
                    weights.tensors(),
                    rotary.cos(),
                    rotary.sin(),
                    cache.cells(),
                    small.create(responses.stream().mapToLong(ResponseState::lastToken).toArray()),
                    small.create(
                        responses.stream().mapToLong(ResponseState::lastPosition).toArray()),
                    small.create(responses.stream().mapToLong(ResponseState::remaining).toArray()),
                    turns(small, responses),
                    SamplingTensors.uniforms(small, responses, most),
                    SamplingTensors.of(small, responses))));
  }

  @Override
  public void close() {
    weights.close();
    kernels.close();
    rotary.close();
  }

  /**
   * Sampled tokens.
   *
   * @param tokens [steps × rows]
   * @param logProbs as in scoring, [steps × rows]
   * @param samplingLogProbs in the sampling distribution, [steps × rows]
   */
  record Drawn(long[] tokens, float[] logProbs, float[] samplingLogProbs) {
    static Drawn of(NDList results) {
      return new Drawn(
          results.get(0).toLongArray(),
          results.get(1).toFloatArray(),
          results.get(2).toFloatArray());
    }
  }
}

package roll.torch.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
import roll.api.image.ImagePatches;
import roll.api.model.VisionSpec;
import roll.api.strategy.ReadableWeights;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.WeightsHandle;
import roll.batching.Cutting;
import roll.batching.SharedPrefixes;
import roll.decoder.ModelMemoryEstimate;
import roll.huggingface.ModelFolder;
import roll.torch.Device;
import roll.torch.Precision;
import roll.torch.vision.PicturePatches;
import roll.torch.vision.TowerInput;

/**
 * The weights with which a session samples and scores: the folder's at first, later those of the
 * last update. {@link Parameters} of the same device are shared, so that a trainer's steps take
 * effect immediately; those of another device, and any other {@link ReadableWeights}, are copied
 * and stay unchanged until the next update.
 *
 * <p>Used only on the device's compute thread.
 */
public final class InferenceWeights implements AutoCloseable {
  private final Device device;
  private final Precision precision;
  private final Cutting scored;
  private final @Nullable PicturePatches patches;

  /** Owns the folder's weights; null after the first update. */
  private @Nullable Parameters start;

  /** Owned copies of the weights; null if there are none. */
  private @Nullable CopiedWeights copies;

  private Parameters parameters;
  private Decoder decoder;
  private Scorer scorer;

  /**
   * Reads the inference weights of the model folder {@code folder}.
   *
   * @throws roll.api.option.UserException if they do not fit config.json
   */
  public InferenceWeights(Models models, Device device, ModelFolder folder, SessionConfig config) {
    WorkerConfig worker = config.worker();
    this.device = device;
    this.precision = Precision.of(worker.model());
    this.scored =
        SharedPrefixes.scoring(
            Cutting.frozen(worker, config.sequenceLength()), worker, folder.spec());
    this.patches = models.patches(folder);
    this.parameters = models.map(device, folder, config.seed(), worker.model().dtype(), List.of());
    this.start = parameters;
    this.decoder = decoder();
    this.scorer = new Scorer(device, decoder, scored);
  }

  /** Returns the maximum tokens of a micro-batch that a session of {@code config} scores. */
  public static int scoredTokens(SessionConfig config) {
    WorkerConfig worker = config.worker();
    return Cutting.frozenTokens(
        worker.inferBatchSize(), worker.budgets().infer(), config.sequenceLength());
  }

  private Decoder decoder() {
    int positions = parameters.spec().maxPositions();
    return new Decoder(device, parameters.spec(), precision, positions, patches);
  }

  /** Returns the patches of pictures; null if the model has no vision. */
  public @Nullable PicturePatches patches() {
    return patches;
  }

  /**
   * Returns the features of a picture, f32 [tokens, vectors · hidden]; only for models with vision.
   *
   * @param owner owns them
   * @param tower the tower's parameters, in the order of the specification
   */
  public NDArray features(NDManager owner, NDList tower, ImagePatches picture) {
    VisionSpec vision = Objects.requireNonNull(decoder.spec().vision());
    long[] all = LongStream.range(0, picture.tokens()).toArray();
    try (NDManager scope = device.newManager()) {
      return decoder
          .tower()
          .features(owner, tower, TowerInput.of(scope, vision, List.of(picture), all));
    }
  }

  /** Returns the precision of the model. */
  public Precision precision() {
    return precision;
  }

  /** Returns the current weights, owned by this object or by the caller of {@link #update}. */
  public Parameters parameters() {
    return parameters;
  }

  /**
   * Returns the bytes of weights that belong to this session alone: none if it shares a trainer's,
   * except for copies in another format for generation.
   */
  public long ownBytes() {
    ModelMemoryEstimate need = new ModelMemoryEstimate(parameters.spec());
    long held = start == null && copies == null ? 0 : need.inference(parameters.dtype());
    boolean generated = parameters.dtype() != precision.dtype();
    return held
        + (generated ? need.inference(precision.dtype()) : 0)
        + (precision.wideHead() ? need.wideHead() : 0);
  }

  /** Returns log-probs and entropies of the scored tokens of {@code batch}. */
  public Scores score(TokenBatch batch) {
    return scorer.score(parameters, batch);
  }

  /** Returns the distributions of the current weights, valid until the next update. */
  public ModelDistributions distributions() {
    return new ModelDistributions(device, decoder, parameters);
  }

  /**
   * Returns the value at the last token of each sample of {@code batch}, like {@link Scorer#ends}.
   */
  public double[] ends(TokenBatch batch) {
    return scorer.ends(parameters, batch);
  }

  /** Switches to {@code weights} by {@link #update(WeightsHandle, boolean)}, sharing them. */
  public boolean update(WeightsHandle weights) {
    return update(weights, true);
  }

  /**
   * Switches to {@code weights}, which must not change during this call, as they may be copied.
   *
   * @param sharing whether parameters of the same device are shared; otherwise they are copied too
   * @return whether their adapters differ from the previous ones, so that kernels must be compiled
   *     again
   * @throws IllegalArgumentException if they are weights of another model or another compute layer
   */
  public boolean update(WeightsHandle weights, boolean sharing) {
    if (!(weights instanceof ReadableWeights source)) {
      throw new IllegalArgumentException("weights of another compute layer: " + weights);
    }
    if (!source.spec().with(null).equals(decoder.spec().with(null))) {
      throw new IllegalArgumentException("weights of another model: " + source.spec());
    }
    boolean anew = !source.spec().equals(decoder.spec());
    if (sharing && source instanceof Parameters shared && shared.device() == device) {
      parameters = shared;
      closeCopies();
    } else {
      parameters = copy(source, anew);
    }
    closeStart();
    if (anew) {
      decoder.close();
      decoder = decoder();
      scorer = new Scorer(device, decoder, scored);
    }
    return anew;
  }

  private Parameters copy(ReadableWeights source, boolean anew) {
    if (anew) {
      closeCopies();
    }
    CopiedWeights own = copies;
    if (own == null) {
      own = new CopiedWeights(device, source.spec(), precision.dtype());
      copies = own;
    }
    own.take(source);
    return own.parameters();
  }

  private void closeStart() {
    if (start != null) {
      start.close();
      start = null;
    }
  }

  private void closeCopies() {
    if (copies != null) {
      copies.close();
      copies = null;
    }
  }

  @Override
  public void close() {
    decoder.close();
    closeStart();
    closeCopies();
  }
}

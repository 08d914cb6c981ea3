package roll.strategy.vllm.config;

import java.util.EnumMap;
import java.util.Map;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionActivity;
import roll.api.model.DecoderSpec;
import roll.api.strategy.SessionConfig;
import roll.decoder.ActivationEstimate;
import roll.decoder.ModelMemoryEstimate;
import roll.sampling.PictureFeatures;
import roll.torch.Precision;
import roll.torch.model.InferenceWeights;

/**
 * The expected memory of an engine, with a completely used cache.
 *
 * @param spec the model
 * @param settings of the engine
 * @param card whether it computes on a card
 * @param graphRows maximum rows of a CUDA graph; 0 without graphs
 */
public record EngineMemory(DecoderSpec spec, EngineSettings settings, boolean card, int graphRows) {
  /** Bytes that sampling needs for a logit, with filters: f32 scores, f64 and int64 sums. */
  private static final long LOGIT = 48;

  /**
   * Returns the expected bytes by kind, on all devices of the engine together, during {@code
   * activity}; an idle engine sleeps.
   */
  public Map<MemoryKind, Long> expected(SessionConfig config, SessionActivity activity) {
    WorkerConfig worker = config.worker();
    Dtype dtype = worker.model().dtype();
    ModelMemoryEstimate need = new ModelMemoryEstimate(spec);
    // decoding sequences are also in rows: at most the whole cache a second time
    long cell = need.cachedToken(settings.cache()) + need.cachedToken(dtype);
    long cache = (long) settings.blocks() * settings.blockSize() * cell;
    boolean rests = activity == SessionActivity.REST;
    boolean asleep = rests && config.synchronous();
    long tokens =
        switch (activity) {
          case GENERATE -> settings.maxBatchedTokens();
          case SCORE -> InferenceWeights.scoredTokens(config);
          case TRAIN, REST -> 0;
        };
    boolean wideHead = Precision.of(worker.model()).wideHead();
    long all = need.inference(dtype) + (wideHead ? need.wideHead() : 0);
    long weights = asleep && settings.sleepLevel() > 1 ? 0 : all;
    boolean copied = !(asleep && settings.sleepLevel() > 0);
    long copies = copied ? settings.weights().copies(spec, dtype) : 0;
    EnumMap<MemoryKind, Long> bytes = new EnumMap<>(MemoryKind.class);
    bytes.put(MemoryKind.PARAMETERS, weights + copies);
    long pictures = PictureFeatures.most(spec, settings.maxSequences(), config.sequenceLength());
    bytes.put(
        MemoryKind.KV_CACHE,
        asleep && settings.sleepLevel() > 0 ? 0 : cache + pictures + graphMemory(dtype));
    ActivationEstimate activations = new ActivationEstimate(spec, dtype, card);
    bytes.put(MemoryKind.ACTIVATIONS, rests ? 0 : activations.scoring(tokens));
    return bytes;
  }

  /**
   * Returns the bytes of all graphs: those of the largest twice, since graphs share their memory,
   * and one recorded after a smaller one can use only what is larger.
   */
  private long graphMemory(Dtype dtype) {
    if (graphRows == 0) {
      return 0;
    }
    long layer = new ActivationEstimate(spec, dtype, card).layer(graphRows);
    return 2 * ((long) graphRows * spec.vocabulary() * LOGIT + layer);
  }
}

package roll.strategy.hf_infer;

import java.util.EnumMap;
import java.util.Map;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.Activity;
import roll.api.memory.StateKind;
import roll.api.model.DecoderSpec;
import roll.api.strategy.SessionConfig;
import roll.decoder.ActivationNeed;
import roll.decoder.MemoryNeed;

/**
 * Bytes that a copy of a model is expected to hold.
 *
 * @param spec the model
 * @param settings how it generates
 */
record HfMemory(DecoderSpec spec, GenerationSettings settings) {
  /** Padded tokens scored at once, at least. */
  private static final int SCORED = 4096;

  /**
   * By kind, on all devices of the session together, while {@code activity} continues. The
   * reference never generates.
   */
  Map<StateKind, Long> expected(SessionConfig config, Activity activity) {
    WorkerConfig worker = config.worker();
    Dtype dtype = worker.model().dtype();
    int longest = config.sequenceLength();
    int budget = worker.budgets().infer();
    MemoryNeed need = new MemoryNeed(spec);
    ActivationNeed activations = new ActivationNeed(spec, dtype);
    long batch = (long) Math.max(1, worker.inferBatchSize()) * longest * need.cachedToken(dtype);
    long kept = settings.reuse() && !worker.role().equals("reference") ? batch : 0;
    EnumMap<StateKind, Long> bytes = new EnumMap<>(StateKind.class);
    bytes.put(StateKind.PARAMETERS, need.inference(dtype));
    bytes.put(StateKind.KV_CACHE, kept + (activity == Activity.GENERATE ? batch : 0));
    bytes.put(
        StateKind.ACTIVATIONS,
        switch (activity) {
          case GENERATE -> activations.scoring(settings.block());
          case SCORE -> activations.scoring(Math.max(budget > 0 ? budget : SCORED, longest));
          case TRAIN, REST -> 0L;
        });
    return bytes;
  }
}

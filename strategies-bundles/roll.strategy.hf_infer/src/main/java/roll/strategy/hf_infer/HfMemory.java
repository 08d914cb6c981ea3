package roll.strategy.hf_infer;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionActivity;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.api.option.UserException;
import roll.api.strategy.SessionConfig;
import roll.decoder.ActivationEstimate;
import roll.decoder.ModelMemoryEstimate;
import roll.sampling.PictureFeatures;
import roll.text.ByteSize;
import roll.torch.Precision;
import roll.torch.model.InferenceWeights;

/**
 * The expected memory of an inference session.
 *
 * @param spec the model
 * @param settings of generation
 * @param card whether the session computes on a card
 */
record HfMemory(DecoderSpec spec, GenerationSettings settings, boolean card) {
  /**
   * Refuses weights that exceed the machine's memory.
   *
   * @param machine memory of the machine in bytes
   * @throws UserException if they do
   */
  void requireWeights(WorkerConfig worker, long machine) {
    ModelMemoryEstimate need = new ModelMemoryEstimate(spec);
    Dtype dtype = worker.model().dtype();
    long weights = need.inference(dtype);
    if (weights > machine) {
      boolean narrower = dtype == Dtype.FP32 && need.inference(Dtype.BF16) <= machine;
      throw new UserException(
          "%s: %s takes %s with dtype %s, this machine has %s of memory%s"
              .formatted(
                  worker.role(),
                  worker.model().folder(),
                  ByteSize.of(weights),
                  dtype.name().toLowerCase(Locale.ROOT),
                  ByteSize.of(machine),
                  narrower
                      ? "; with dtype bf16 it takes " + ByteSize.of(need.inference(Dtype.BF16))
                      : ""));
    }
  }

  /**
   * Returns the expected bytes by kind, on all devices of the session together, during {@code
   * activity}. References, teachers, and models with a value head never generate.
   */
  Map<MemoryKind, Long> expected(SessionConfig config, SessionActivity activity) {
    WorkerConfig worker = config.worker();
    Dtype dtype = worker.model().dtype();
    int longest = config.sequenceLength();
    ModelMemoryEstimate need = new ModelMemoryEstimate(spec);
    ActivationEstimate activations = new ActivationEstimate(spec, dtype, card);
    long batch = (long) Math.max(1, worker.inferBatchSize()) * longest * need.cachedToken(dtype);
    long pictures = PictureFeatures.most(spec, Math.max(1, worker.inferBatchSize()), longest);
    boolean generates = !scoresOnly(worker.role()) && !spec.has(Trait.VALUE_HEAD);
    long kept = settings.reuse() && generates ? batch : 0;
    EnumMap<MemoryKind, Long> bytes = new EnumMap<>(MemoryKind.class);
    boolean wideHead = Precision.of(worker.model()).wideHead();
    bytes.put(MemoryKind.PARAMETERS, need.inference(dtype) + (wideHead ? need.wideHead() : 0));
    bytes.put(
        MemoryKind.KV_CACHE,
        kept + (generates ? pictures : 0) + (activity == SessionActivity.GENERATE ? batch : 0));
    bytes.put(
        MemoryKind.ACTIVATIONS,
        switch (activity) {
          case GENERATE -> activations.scoring(settings.block());
          case SCORE -> activations.scoring(InferenceWeights.scoredTokens(config));
          case TRAIN, REST -> 0L;
        });
    return bytes;
  }

  private static boolean scoresOnly(String role) {
    return role.equals("reference") || role.startsWith("teachers.");
  }
}

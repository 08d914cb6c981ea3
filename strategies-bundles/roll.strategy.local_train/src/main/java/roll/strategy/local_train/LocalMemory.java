package roll.strategy.local_train;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import roll.api.config.OptimizerName;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionActivity;
import roll.api.model.DecoderSpec;
import roll.api.strategy.SessionConfig;
import roll.decoder.ActivationEstimate;
import roll.decoder.DecoderParameters;
import roll.torch.training.UpdateRule;

/**
 * The expected memory of a training session.
 *
 * @param spec the model
 * @param trained indices of the trained parameters
 * @param lanes number of parallel micro-batches
 * @param card whether the session computes on a card
 */
record LocalMemory(DecoderSpec spec, List<Integer> trained, int lanes, boolean card) {
  private static final long F32 = 4;
  private static final long BF16 = 2;

  /** Returns the expected bytes by kind during {@code activity}. */
  Map<MemoryKind, Long> expected(SessionConfig config, SessionActivity activity) {
    WorkerConfig worker = config.worker();
    boolean narrow = worker.model().dtype() == Dtype.BF16;
    List<DecoderSpec.Parameter> all = DecoderParameters.of(spec);
    long weights = trained.stream().mapToLong(i -> all.get(i).size()).sum();
    EnumMap<MemoryKind, Long> bytes = new EnumMap<>(MemoryKind.class);
    bytes.put(MemoryKind.PARAMETERS, (narrow ? BF16 : F32) * DecoderParameters.size(spec));
    bytes.put(MemoryKind.GRADIENTS, lanes * F32 * weights);
    OptimizerName optimizer = worker.training().optimizer();
    long kept =
        trained.stream()
            .map(all::get)
            .mapToLong(parameter -> UpdateRule.of(optimizer, parameter).bytes(parameter))
            .sum();
    bytes.put(MemoryKind.OPTIMIZER, (narrow ? F32 * weights : 0) + kept);
    ActivationEstimate need = new ActivationEstimate(spec, worker.model().dtype(), card);
    int longest = config.sequenceLength();
    long scored = tokens(worker.budgets().infer(), worker.inferBatchSize(), longest);
    long run = tokens(worker.budgets().train(), worker.training().microBatch(), longest);
    long activations =
        switch (activity) {
          case TRAIN -> lanes * need.training(run, worker.model().checkpointing(), trainsTower());
          case SCORE -> need.scoring(scored);
          case GENERATE, REST -> 0;
        };
    bytes.put(MemoryKind.ACTIVATIONS, activations);
    return bytes;
  }

  private boolean trainsTower() {
    int first = DecoderParameters.of(spec).size() - DecoderParameters.tower(spec).size();
    return trained.stream().anyMatch(i -> i >= first);
  }

  /**
   * Returns the tokens computed at once; a sample longer than the budget is a micro-batch of its
   * own.
   */
  private static long tokens(int budget, int samples, int longest) {
    return budget > 0 ? Math.max(budget, longest) : (long) samples * longest;
  }
}

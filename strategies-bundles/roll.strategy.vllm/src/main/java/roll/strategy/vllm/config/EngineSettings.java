package roll.strategy.vllm.config;

import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig.Dtype;
import roll.strategy.vllm.speculation.NgramProposer;

/**
 * The settings of a continuous-batching engine.
 *
 * @param blockSize tokens of a block of the KV cache
 * @param blocks of the KV cache
 * @param maxBatchedTokens maximum tokens computed in a step
 * @param maxSequences maximum number of concurrent sequences
 * @param maxModelLength maximum tokens of prompt and response
 * @param prefixCaching whether cached prefixes are reused
 * @param cache format of the KV cache
 * @param deterministic whether requests of one call are never batched with those of another
 * @param sleepLevel memory freed by sleeping: 1 the cache and reordered weights, 2 also copies of
 *     weights
 * @param weights weight format of linear layers
 * @param graphs whether cards decode by CUDA graphs
 * @param proposer of tokens for speculative decoding; null for none
 * @param update what new weights mean for responses in flight
 */
public record EngineSettings(
    int blockSize,
    int blocks,
    int maxBatchedTokens,
    int maxSequences,
    int maxModelLength,
    boolean prefixCaching,
    Dtype cache,
    boolean deterministic,
    int sleepLevel,
    WeightFormat weights,
    boolean graphs,
    @Nullable NgramProposer proposer,
    WeightUpdate update) {
  /** The way in which an engine takes new weights while responses are in flight. */
  public enum WeightUpdate {
    /** Responses in flight end with the weights that began them, and the update waits for that. */
    DRAIN,
    /** The next token is sampled with the new weights, which also recompute all earlier tokens. */
    RECOMPUTE,
    /**
     * The next token is sampled with the new weights over the cached keys and values of the old.
     */
    KEEP
  }
}

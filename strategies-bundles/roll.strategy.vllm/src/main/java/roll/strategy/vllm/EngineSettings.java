package roll.strategy.vllm;

import roll.api.config.WorkerConfig.Dtype;

/**
 * How an engine works.
 *
 * @param blockSize tokens of a block of the KV cache
 * @param blocks of the KV cache
 * @param maxBatchedTokens most tokens computed in a step
 * @param maxSequences most sequences that run at once
 * @param maxModelLength most tokens of prompt and response
 * @param prefixCaching whether what is in the cache serves later requests
 * @param cache format of the KV cache
 * @param deterministic whether the requests of one call are never computed beside those of another
 * @param sleepLevel what sleeping frees: 1 the cache and reordered weights, 2 copies of weights too
 * @param weights how linear layers read theirs
 */
record EngineSettings(
    int blockSize,
    int blocks,
    int maxBatchedTokens,
    int maxSequences,
    int maxModelLength,
    boolean prefixCaching,
    Dtype cache,
    boolean deterministic,
    int sleepLevel,
    WeightFormat weights) {}

package roll.strategy.vllm;

/** The way in which an engine takes new weights while responses are in flight. */
enum WeightUpdate {
  /** Responses in flight end with the weights that began them, and the update waits for that. */
  DRAIN,
  /** The next token is sampled with the new weights, which also recompute all earlier tokens. */
  RECOMPUTE,
  /** The next token is sampled with the new weights over the cached keys and values of the old. */
  KEEP
}

package roll.strategy.hf_infer;

/**
 * How generation batches are run.
 *
 * @param reuse whether the cache of one call serves the next
 * @param block most prompt tokens run at once, padding counted; a longer prompt is a block of its
 *     own
 */
record GenerationSettings(boolean reuse, int block) {}

package roll.strategy.hf_infer;

/**
 * The generation settings of an HF-style session.
 *
 * @param reuse whether the cache of one call is reused by the next
 * @param block maximum prompt tokens of a block, including padding; a longer prompt is a block of
 *     its own
 */
record GenerationSettings(boolean reuse, int block) {}

package roll.cluster.inference.pool;

import org.jspecify.annotations.Nullable;

/**
 * Work that one engine does as a whole.
 *
 * @param what to do, for the caller
 * @param cost in tokens, as far as it can be known before
 * @param prefix what beginnings of its prompt are known by
 * @param lane all work of which one engine does; null where any may do it
 */
record PoolWork<W>(W what, long cost, PromptHashes prefix, @Nullable Object lane) {}

package roll.cluster.inference.pool;

import org.jspecify.annotations.Nullable;

/**
 * Unit of work for one engine of the pool.
 *
 * @param what the task of the caller
 * @param cost estimated number of tokens
 * @param prefix hashes of the prefixes of its prompt
 * @param partition whose items go to one engine; null if any engine may do it
 */
record WorkItem<W>(W what, long cost, PromptHashes prefix, @Nullable Object partition) {}

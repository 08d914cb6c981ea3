package roll.cluster.inference.pool;

/**
 * Work that one engine does as a whole.
 *
 * @param what to do, for the caller
 * @param cost in tokens, as far as it can be known before
 * @param prefix hashes of longer and longer beginnings of its prompt; empty where none matters
 */
record PoolWork<W>(W what, long cost, long[] prefix) {}

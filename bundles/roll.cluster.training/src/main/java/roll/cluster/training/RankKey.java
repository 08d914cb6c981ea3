package roll.cluster.training;

/**
 * Which ranks a message is about.
 *
 * @param life of whoever decides: commands of another are not of the same order
 * @param session of it
 */
record RankKey(long life, long session) {}

package roll.cluster.training;

/**
 * Identifies the ranks of a session in messages.
 *
 * @param coordinator random number of the coordinator, whose commands are in one sequence
 * @param session number of the session
 */
record RankKey(long coordinator, long session) {}

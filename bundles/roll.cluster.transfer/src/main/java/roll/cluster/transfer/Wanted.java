package roll.cluster.transfer;

import java.time.Duration;

/**
 * Which version is wanted: the newest of a channel, of this epoch, with at least this number.
 *
 * @param channel of which
 * @param epoch of the run, from 0
 * @param atLeast the smallest number that will do, from 0
 * @param limit how long to wait until there is one
 */
public record Wanted(String channel, long epoch, long atLeast, Duration limit) {}

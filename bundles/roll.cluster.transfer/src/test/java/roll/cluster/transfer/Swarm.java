package roll.cluster.transfer;

/**
 * What is simulated.
 *
 * @param workers that begin to pull at once
 * @param bytes of the version
 * @param wire bytes a second of each node, each way
 * @param peers most that a node pulls from
 * @param slow share of workers whose wire carries a tenth
 * @param lost share of workers that are lost, half of them silently
 * @param admitted connections that a node serves at once, others are told to come again; 0 for all,
 *     as nodes do
 * @param late workers that come while it goes on
 * @param seed of all that is random
 */
record Swarm(
    int workers,
    long bytes,
    double wire,
    int peers,
    double slow,
    double lost,
    int admitted,
    int late,
    long seed) {}

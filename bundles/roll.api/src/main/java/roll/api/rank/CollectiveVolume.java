package roll.api.rank;

/**
 * The communication volume of a group of ranks in one phase of a step.
 *
 * @param collective the collective operation
 * @param ranks group size
 * @param stride difference between consecutive ranks of the group; 1 for neighbors
 * @param bytes size of the full buffer: the output of a gather, the input of a reduction, or the
 *     message of {@link Collective#SEND}
 * @param times number of calls per phase
 */
public record CollectiveVolume(
    Collective collective, int ranks, int stride, long bytes, long times) {
  /** A collective operation. */
  public enum Collective {
    /** Every rank gets the shards of all ranks. */
    ALL_GATHER,
    /** Every rank gets its shard of the sum. */
    REDUCE_SCATTER,
    /** Collective operation: every rank gets the sum. */
    ALL_REDUCE,
    /** One rank sends to its neighbor in the group. */
    SEND
  }

  /**
   * Bytes that each rank sends, and also receives, with bandwidth-optimal algorithms: (n − 1) / n
   * of the buffer for all-gather and reduce-scatter, twice that for all-reduce (Patarasuk and Yuan
   * 2009, theorem 1).
   */
  public double sent() {
    double share = (ranks - 1) / (double) ranks;
    double once =
        switch (collective) {
          case ALL_GATHER, REDUCE_SCATTER -> share * bytes;
          case ALL_REDUCE -> 2 * share * bytes;
          case SEND -> bytes;
        };
    return once * times;
  }

  /**
   * Whether the group has ranks on several nodes.
   *
   * @param perNode ranks per node, numbered consecutively
   */
  public boolean crosses(int perNode) {
    return (long) ranks * stride > perNode;
  }

  /**
   * Bytes that each rank sends within its node.
   *
   * @param perNode as above
   */
  public double within(int perNode) {
    return crosses(perNode) && stride >= perNode ? 0 : sent();
  }

  /**
   * Bytes that leave a node: each group with ranks on the node crosses its network link once, for
   * any number of those ranks.
   */
  public double leaving(int perNode) {
    return crosses(perNode) ? Math.min(stride, perNode) * sent() : 0;
  }
}

package roll.api.rank;

/**
 * What the ranks of a group tell each other, as often as a phase of a step has them do it.
 *
 * @param collective what they do
 * @param ranks of the group
 * @param stride from one rank of the group to the next: 1 where they are neighbors
 * @param bytes of the whole: what all have together when a gathering is done, or each had when a
 *     reduction begins; for {@link Collective#SEND} what one sends
 * @param times as often
 */
public record RankTraffic(Collective collective, int ranks, int stride, long bytes, long times) {
  /** What ranks do together. */
  public enum Collective {
    /** Every rank gets the shares of all. */
    ALL_GATHER,
    /** Every rank gets its share of the sum. */
    REDUCE_SCATTER,
    /** Every rank gets the sum. */
    ALL_REDUCE,
    /** One rank sends to its neighbor in the group. */
    SEND
  }

  /**
   * Bytes that each rank sends, and as many that it gets, by the algorithms that send least: (n −
   * 1) / n of the whole for a gathering or a reduction into shares, twice that for one to all
   * (Patarasuk and Yuan 2009, theorem 1).
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
   * @param perNode ranks of a node, which are numbered one after the other
   */
  public boolean crosses(int perNode) {
    return (long) ranks * stride > perNode;
  }

  /**
   * Bytes that each rank sends to others of its node.
   *
   * @param perNode as above
   */
  public double within(int perNode) {
    return crosses(perNode) && stride >= perNode ? 0 : sent();
  }

  /**
   * Bytes that leave a node: each group of which it has ranks passes its node's wire once, whatever
   * number of its ranks it has.
   */
  public double leaving(int perNode) {
    return crosses(perNode) ? Math.min(stride, perNode) * sent() : 0;
  }
}

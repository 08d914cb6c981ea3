package roll.api.config;

/**
 * How trajectory rewards are normalised before they become token rewards.
 *
 * @param grouping column whose equal values form a group: {@code batch}, {@code tags} or {@code
 *     traj_group_id}
 * @param mean what is subtracted
 * @param std what is divided by
 */
public record RewardNormalization(String grouping, Scope mean, Scope std) {
  /** Over which rewards a statistic is taken. */
  public enum Scope {
    /** Not taken at all. */
    NONE,
    /** Over the whole batch. */
    BATCH,
    /** Over the reward's group. */
    GROUP
  }
}

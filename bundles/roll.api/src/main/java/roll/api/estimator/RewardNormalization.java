package roll.api.estimator;

/**
 * Normalization of trajectory rewards before they become token rewards.
 *
 * @param grouping label whose equal values form a group, such as {@code tags} or {@code
 *     traj_group_id}, or {@code batch}
 * @param mean scope of the subtracted mean
 * @param std scope of the standard deviation that is divided by
 * @param asymClip whether the result is clamped to [−1, 3]
 */
public record RewardNormalization(String grouping, Scope mean, Scope std, boolean asymClip) {
  /** Normalization that leaves rewards unchanged. */
  public static final RewardNormalization IDENTITY =
      new RewardNormalization("batch", Scope.NONE, Scope.NONE, false);

  /** The rewards a statistic is computed over. */
  public enum Scope {
    /** Reward normalization scope: no statistic is computed. */
    NONE,
    /** Reward normalization scope: over the whole batch. */
    BATCH,
    /** Reward normalization scope: over the reward's group. */
    GROUP
  }

  /**
   * ROLL's normalization {@code method}: the mean, and for {@code mean_std} and {@code asym_clip}
   * the deviation, of the batch if {@code grouping} is {@code batch}, otherwise of the group.
   *
   * @param method {@code identity}, {@code mean}, {@code mean_std} or {@code asym_clip}
   */
  public static RewardNormalization of(String grouping, String method) {
    Scope scope = grouping.equals("batch") ? Scope.BATCH : Scope.GROUP;
    boolean clip = method.equals("asym_clip");
    return switch (method) {
      case "identity" -> new RewardNormalization(grouping, Scope.NONE, Scope.NONE, false);
      case "mean" -> new RewardNormalization(grouping, scope, Scope.NONE, false);
      case "mean_std", "asym_clip" -> new RewardNormalization(grouping, scope, scope, clip);
      default -> throw new IllegalArgumentException("method " + method);
    };
  }

  /** Whether the normalization leaves rewards unchanged. */
  public boolean isIdentity() {
    return mean == Scope.NONE && std == Scope.NONE;
  }
}

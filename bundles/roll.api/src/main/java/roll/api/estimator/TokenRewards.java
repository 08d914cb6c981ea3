package roll.api.estimator;

import roll.api.data.ColumnKey;
import roll.api.data.ColumnMap;
import roll.api.data.Layout;

/**
 * The rewards, groups and columns from which an advantage estimator computes. Arrays are shared and
 * must not be modified.
 *
 * @param layout of the tokens
 * @param rewards reward by token; 0 outside the mask
 * @param groups group number of each sample; samples of a group share the prompt
 * @param gamma discount by token
 * @param lambda decay of generalized advantage estimation
 * @param normalization normalization applied to the rewards; a turn-level estimator applies it
 *     itself
 * @param columns further columns by the keys of {@link roll.api.data.Batch}
 */
public record TokenRewards(
    Layout layout,
    double[] rewards,
    int[] groups,
    double gamma,
    double lambda,
    RewardNormalization normalization,
    ColumnMap columns) {
  /**
   * Creates the rewards of one group, not normalized and without discount.
   *
   * @param rewards a row per sample; rows may have different lengths
   * @param mask 1 for tokens the policy wrote, in the same rows; adjacent tokens form a turn
   */
  public static TokenRewards of(double[][] rewards, int[][] mask) {
    double[] cells = Layout.cells(rewards);
    int[] groups = new int[rewards.length];
    RewardNormalization none = RewardNormalization.IDENTITY;
    return new TokenRewards(Layout.ofRows(mask), cells, groups, 1, 1, none, ColumnMap.NONE);
  }

  /** Returns these samples with other rewards by token. */
  public TokenRewards withRewards(double[] others) {
    return new TokenRewards(layout, others, groups, gamma, lambda, normalization, columns);
  }

  /** Returns these token rewards with other groups. */
  public TokenRewards withGroups(int... numbers) {
    return new TokenRewards(layout, rewards, numbers, gamma, lambda, normalization, columns);
  }

  /** Returns these token rewards with other discounts. */
  public TokenRewards withDiscounts(double byToken, double decay) {
    return new TokenRewards(layout, rewards, groups, byToken, decay, normalization, columns);
  }

  /** Returns these token rewards with another normalization. */
  public TokenRewards withNormalization(RewardNormalization how) {
    return new TokenRewards(layout, rewards, groups, gamma, lambda, how, columns);
  }

  /** Returns these rewards with an additional column of numbers. */
  public TokenRewards withColumn(ColumnKey<double[]> key, double... column) {
    return withColumns(columns.with(key, column));
  }

  /** Returns these rewards with an additional column of integers. */
  public TokenRewards withColumn(ColumnKey<int[]> key, int... column) {
    return withColumns(columns.with(key, column));
  }

  /** Returns these token rewards with other columns. */
  public TokenRewards withColumns(ColumnMap others) {
    return new TokenRewards(layout, rewards, groups, gamma, lambda, normalization, others);
  }

  /** Number of samples of the token rewards. */
  public int samples() {
    return layout.samples();
  }

  /**
   * Returns the column {@code key} of the rewards.
   *
   * @throws NullPointerException if there is none
   */
  public <T> T column(ColumnKey<T> key) {
    return columns.get(key);
  }

  /** Whether the rewards were normalized and are already relative to other samples. */
  public boolean relative() {
    return !normalization.isIdentity();
  }

  /** Sum of the rewards of each sample's policy tokens. */
  public double[] outcomes() {
    return layout.sumBySample(rewards);
  }

  /** The reward from each policy token on: {@link Layout#toGo}. */
  public double[] rewardsToGo(double discount) {
    return layout.toGo(rewards, discount);
  }

  /** The value of each sample at its policy tokens; 0 at all other positions. */
  public double[] spread(double[] bySample) {
    return layout.spread(bySample);
  }
}

package roll.api.estimator;

import roll.api.data.Column;
import roll.api.data.Columns;
import roll.api.data.Layout;

/**
 * The input of an estimator. Arrays are shared and must not be modified.
 *
 * @param layout of the tokens
 * @param rewards reward by token; 0 outside the mask
 * @param groups group number of each sample; samples of a group have the same prompt
 * @param gamma discount by token
 * @param lambda decay of generalized advantage estimation
 * @param normalization what was done to the rewards; an estimator of turns does it itself
 * @param columns what else the estimator needs, by the keys of {@link roll.api.data.Batch}
 */
public record TokenRewards(
    Layout layout,
    double[] rewards,
    int[] groups,
    double gamma,
    double lambda,
    RewardNormalization normalization,
    Columns columns) {
  /**
   * Of one group, not normalized and without discount.
   *
   * @param rewards a row per sample, of any lengths
   * @param mask 1 where the policy wrote the token, in the same rows; what stands together is a
   *     turn
   */
  public static TokenRewards of(double[][] rewards, int[][] mask) {
    double[] cells = Layout.cells(rewards);
    int[] groups = new int[rewards.length];
    RewardNormalization none = RewardNormalization.IDENTITY;
    return new TokenRewards(Layout.ofRows(mask), cells, groups, 1, 1, none, Columns.NONE);
  }

  /** Other rewards by token for the same samples. */
  public TokenRewards withRewards(double[] others) {
    return new TokenRewards(layout, others, groups, gamma, lambda, normalization, columns);
  }

  /** These rewards in other groups. */
  public TokenRewards withGroups(int... numbers) {
    return new TokenRewards(layout, rewards, numbers, gamma, lambda, normalization, columns);
  }

  /** These rewards with other discounts. */
  public TokenRewards withDiscounts(double byToken, double decay) {
    return new TokenRewards(layout, rewards, groups, byToken, decay, normalization, columns);
  }

  /** These rewards, normalized or to be normalized as {@code how} says. */
  public TokenRewards withNormalization(RewardNormalization how) {
    return new TokenRewards(layout, rewards, groups, gamma, lambda, how, columns);
  }

  /** These rewards with an additional column of numbers. */
  public TokenRewards withColumn(Column<double[]> key, double... column) {
    return withColumns(columns.with(key, column));
  }

  /** These rewards with an additional column of integers. */
  public TokenRewards withColumn(Column<int[]> key, int... column) {
    return withColumns(columns.with(key, column));
  }

  /** These rewards with other columns. */
  public TokenRewards withColumns(Columns others) {
    return new TokenRewards(layout, rewards, groups, gamma, lambda, normalization, others);
  }

  /** Number of samples. */
  public int samples() {
    return layout.samples();
  }

  /** The column {@code key}; it is an error if there is none. */
  public <T> T column(Column<T> key) {
    return columns.get(key);
  }

  /** Whether rewards are relative to other samples already. */
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

  /** The number of each sample on every one of its policy tokens; 0 elsewhere. */
  public double[] spread(double[] bySample) {
    return layout.spread(bySample);
  }
}

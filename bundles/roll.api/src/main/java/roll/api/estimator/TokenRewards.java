package roll.api.estimator;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What an estimator sees, jagged: sample {@code i} owns the cells {@code offsets[i]} to {@code
 * offsets[i + 1]}. Arrays are shared and never written.
 *
 * @param offsets first cell of each sample and, last, the number of cells
 * @param rewards reward by token; 0 outside the mask
 * @param turns turn by token, −1 where the policy did not write it
 * @param mask which tokens the policy wrote
 * @param groups group number of each sample; samples of a group have the same prompt
 * @param gamma discount by token
 * @param lambda decay of generalized advantage estimation
 * @param normalization what was done to the rewards; an estimator of turns does it itself
 * @param columns what else the estimator needs, by the names of {@link roll.api.data.Batch}: a
 *     number a token or a number a sample
 */
public record TokenRewards(
    int[] offsets,
    double[] rewards,
    int[] turns,
    boolean[] mask,
    int[] groups,
    double gamma,
    double lambda,
    RewardNormalization normalization,
    Map<String, double[]> columns) {
  /**
   * Of one group, not normalised and without discount.
   *
   * @param rewards a row a sample, of any lengths
   * @param mask 1 where the policy wrote the token, in the same rows; what stands together is a
   *     turn
   */
  public static TokenRewards of(double[][] rewards, int[][] mask) {
    int[] offsets = new int[rewards.length + 1];
    for (int i = 0; i < rewards.length; i++) {
      offsets[i + 1] = offsets[i] + rewards[i].length;
    }
    int[] turns = new int[offsets[rewards.length]];
    boolean[] wrote = new boolean[turns.length];
    for (int i = 0; i < rewards.length; i++) {
      int turn = -1;
      for (int t = 0; t < rewards[i].length; t++) {
        boolean own = mask[i][t] != 0;
        turn += own && (t == 0 || mask[i][t - 1] == 0) ? 1 : 0;
        turns[offsets[i] + t] = own ? turn : -1;
        wrote[offsets[i] + t] = own;
      }
    }
    return new TokenRewards(
        offsets,
        cells(rewards),
        turns,
        wrote,
        new int[rewards.length],
        1,
        1,
        RewardNormalization.IDENTITY,
        Map.of());
  }

  /** Rows one after the other. */
  public static double[] cells(double[][] rows) {
    return java.util.Arrays.stream(rows).flatMapToDouble(java.util.Arrays::stream).toArray();
  }

  /** Other rewards by token for the same samples. */
  public TokenRewards withRewards(double[] others) {
    return new TokenRewards(
        offsets, others, turns, mask, groups, gamma, lambda, normalization, columns);
  }

  /** These rewards in other groups. */
  public TokenRewards withGroups(int... numbers) {
    return new TokenRewards(
        offsets, rewards, turns, mask, numbers, gamma, lambda, normalization, columns);
  }

  /** These rewards with other discounts. */
  public TokenRewards withDiscounts(double byToken, double decay) {
    return new TokenRewards(
        offsets, rewards, turns, mask, groups, byToken, decay, normalization, columns);
  }

  /** These rewards, normalised or to be normalised as {@code how} says. */
  public TokenRewards withNormalization(RewardNormalization how) {
    return new TokenRewards(offsets, rewards, turns, mask, groups, gamma, lambda, how, columns);
  }

  /** These rewards with a column more: a number a token or a number a sample. */
  public TokenRewards withColumn(String name, double... column) {
    Map<String, double[]> more = new LinkedHashMap<>(columns);
    more.put(name, column);
    return new TokenRewards(
        offsets, rewards, turns, mask, groups, gamma, lambda, normalization, more);
  }

  /** Number of samples. */
  public int samples() {
    return offsets.length - 1;
  }

  /** The column {@code name}; it is an error if there is none. */
  public double[] column(String name) {
    return Objects.requireNonNull(columns.get(name), () -> "no column " + name);
  }

  /** Whether rewards are relative to other samples already. */
  public boolean relative() {
    return !normalization.isIdentity();
  }

  /** Sum of the rewards of each sample's policy tokens. */
  public double[] outcomes() {
    double[] sums = new double[samples()];
    for (int i = 0; i < sums.length; i++) {
      double sum = 0;
      for (int t = offsets[i]; t < offsets[i + 1]; t++) {
        sum += mask[t] ? rewards[t] : 0;
      }
      sums[i] = sum;
    }
    return sums;
  }

  /** Number of policy tokens of each sample. */
  public int[] lengths() {
    int[] lengths = new int[samples()];
    for (int i = 0; i < lengths.length; i++) {
      for (int t = offsets[i]; t < offsets[i + 1]; t++) {
        lengths[i] += mask[t] ? 1 : 0;
      }
    }
    return lengths;
  }

  /** The number of each sample on every one of its policy tokens; 0 elsewhere. */
  public double[] spread(double[] bySample) {
    double[] cells = new double[mask.length];
    for (int i = 0; i < bySample.length; i++) {
      for (int t = offsets[i]; t < offsets[i + 1]; t++) {
        cells[t] = mask[t] ? bySample[i] : 0;
      }
    }
    return cells;
  }

  /** The number of each sample on its last policy token; 0 elsewhere. */
  public static double[] onLastTokens(int[] offsets, boolean[] mask, double[] bySample) {
    double[] cells = new double[mask.length];
    for (int i = 0; i < bySample.length; i++) {
      int last = offsets[i + 1] - 1;
      while (last >= offsets[i] && !mask[last]) {
        last--;
      }
      if (last >= offsets[i]) {
        cells[last] = bySample[i];
      }
    }
    return cells;
  }

  /**
   * The reward from each policy token on, {@code G_t = r_t + discount · G_{t+1}}, where {@code t +
   * 1} is the next token that the policy wrote: what the environment wrote in between is skipped
   * and not discounted. 0 elsewhere.
   */
  public double[] rewardsToGo(double discount) {
    double[] toGo = new double[mask.length];
    for (int i = 0; i < samples(); i++) {
      double next = 0;
      for (int t = offsets[i + 1] - 1; t >= offsets[i]; t--) {
        if (mask[t]) {
          next = rewards[t] + discount * next;
          toGo[t] = next;
        }
      }
    }
    return toGo;
  }
}

package roll.math;

import java.util.Arrays;

/** Count, mean and unbiased variance of the numbers in each group, in one pass (Welford 1962). */
public final class GroupMoments {
  private final int[] groups;
  private final int[] counts;
  private final double[] means;
  private final double[] squares;

  private GroupMoments(double[] x, int[] groups) {
    int size = Arrays.stream(groups).max().orElse(-1) + 1;
    this.groups = groups;
    counts = new int[size];
    means = new double[size];
    squares = new double[size];
    for (int i = 0; i < x.length; i++) {
      int g = groups[i];
      double delta = x[i] - means[g];
      counts[g]++;
      means[g] += delta / counts[g];
      squares[g] += delta * (x[i] - means[g]);
    }
  }

  /**
   * Computes the moments of {@code x}, where number {@code i} is in group {@code groups[i]}, from
   * 0.
   */
  public static GroupMoments of(double[] x, int[] groups) {
    return new GroupMoments(x, groups);
  }

  /** Returns the size of the group of number {@code i}. */
  public int count(int i) {
    return counts[groups[i]];
  }

  /** Returns the mean of the group of number {@code i}. */
  public double mean(int i) {
    return means[groups[i]];
  }

  /** Returns the unbiased variance of the group of number {@code i}; 0 for a group of one. */
  public double variance(int i) {
    return count(i) > 1 ? squares[groups[i]] / (count(i) - 1) : 0;
  }

  /**
   * Returns the unbiased standard deviation of the group of number {@code i}; 0 for a group of one.
   */
  public double std(int i) {
    return Math.sqrt(variance(i));
  }
}
